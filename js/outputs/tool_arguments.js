/** The actions that a model wants a program to take. */

/** @import { ActionModel, AgentOutput, CallToParse, RepairedAction, RepairedJson, ToolCall, Usage } from "../types/api.js" */

import { checked } from "../checked.js";
import { OutputParseError } from "../errors.js";
import { refuseValue } from "../options.js";
import { parse, readJson, readRepair } from "./json_text.js";

/**
 * @template {object} Call
 * @param {readonly Call[]} toolCalls
 */
function requireCalls(toolCalls) {
  if (!Array.isArray(toolCalls)) refuseValue("toolCalls", "a list of tool calls", toolCalls);
  toolCalls.forEach((call, index) => {
    if (typeof call !== "object" || call === null) refuseValue(`toolCalls[${index}]`, "a tool call", call);
  });
  return toolCalls;
}

/**
 * @type {<U = Usage>(response: {
 *   content?: string | null,
 *   toolCalls?: ToolCall[] | null,
 *   usage?: U,
 * }) => AgentOutput<U>}
 */
export const parseResponse = checked((response) => {
  if (typeof response !== "object" || response === null)
    refuseValue("the response", "an object with content, toolCalls and usage", response);
  const { content, toolCalls, usage } = response;
  return { text: content ?? "", toolCalls: [...requireCalls(toolCalls ?? [])], usage };
}, "the response");

/** @type {(toolCalls: readonly CallToParse[], options?: { repair?: boolean }) => (ActionModel | RepairedAction)[]} */
const toActions = checked((toolCalls, options) => {
  const repairs = readRepair(options);
  return requireCalls(toolCalls).map((call) => toAction(call, repairs));
}, "the tool calls");

/**
 * @overload
 * @param {readonly CallToParse[]} toolCalls
 * @param {{ repair: true }} options
 * @returns {RepairedAction[]}
 */
/**
 * @overload
 * @param {readonly CallToParse[]} toolCalls
 * @param {{ repair?: boolean }} [options]
 * @returns {ActionModel[]}
 */
/**
 * @param {readonly CallToParse[]} toolCalls
 * @param {{ repair?: boolean }} [options]
 */
export function parseToolArguments(toolCalls, options) {
  return toActions(toolCalls, options);
}

/** @typedef {Pick<RepairedJson, "value" | "status"> & { repair: RepairedAction["repair"] }} ParsedArguments */

/**
 * @param {CallToParse} call
 * @param {boolean} repairs
 * @returns {ActionModel | RepairedAction}
 */
function toAction({ id: toolCallId, name: toolName, arguments: input }, repairs) {
  const details = { toolCallId, toolName };
  const { value, repair, status } = unwrap(readArguments(input, repairs, details), repairs);
  const kind = kindOf(value);
  if (kind !== "object") {
    const message = `Tool '${toolName}' arguments must be a JSON object, got ${kind}`;
    throw new OutputParseError("not-an-object", message, { ...details, text: input });
  }
  const action = { toolCallId, toolName, arguments: /** @type {Record<string, unknown>} */ (value) };
  return repairs ? { ...action, repair, status } : action;
}

/**
 * @param {unknown} input
 * @param {boolean} repairs
 * @param {{ toolCallId: string, toolName: string }} details
 * @returns {ParsedArguments}
 */
function readArguments(input, repairs, details) {
  const text = input ?? "";
  // decode() has parsed them already.
  if (typeof text !== "string") return { value: text, repair: "direct", status: "complete" };
  if (text.trim() === "") return { value: {}, repair: "direct", status: "complete" };
  return readJson(text, repairs, `Invalid JSON in arguments for tool '${details.toolName}'`, details);
}

/**
 * Parses arguments whose JSON is inside a JSON string, as some servers send them.
 *
 * @param {ParsedArguments} parsed
 * @param {boolean} repairs
 * @returns {ParsedArguments}
 */
function unwrap(parsed, repairs) {
  const inner = repairs && typeof parsed.value === "string" ? parse(parsed.value) : undefined;
  return kindOf(inner) === "object" ? { value: inner, repair: "double-encoded", status: parsed.status } : parsed;
}

/** @param {unknown} value */
function kindOf(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
