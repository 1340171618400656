/** Converts tool calls to actions with parsed arguments. */

/** @import { ActionModel, AgentOutput, CallToParse, RepairedAction, RepairedJson, ToolCall, Usage } from "../types/api.js" */

import { checked } from "../checked.js";
import { OutputParseError } from "../errors.js";
import { refuseValue } from "../read_option.js";
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
 *   content?: string | null | undefined,
 *   toolCalls?: readonly ToolCall[] | null | undefined,
 *   usage?: U | undefined,
 * }) => AgentOutput<U>}
 */
export const parseResponse = checked((response) => {
  if (typeof response !== "object" || response === null)
    refuseValue("The response", "an object with content, toolCalls and usage", response);
  const { content, toolCalls, usage } = response;
  return { text: content ?? "", toolCalls: [...requireCalls(toolCalls ?? [])], usage };
}, "The response");

/** @type {(toolCalls: readonly CallToParse[], options?: { repair?: boolean }) => (ActionModel | RepairedAction)[]} */
const toActions = checked((toolCalls, options) => {
  const repairs = readRepair(options);
  const calls = readCalls(toolCalls);
  const taken = new Set(calls.map(({ id }) => id));
  return calls.map((call, index) => toAction({ ...call, id: call.id || freeId(index, taken) }, repairs));
}, "The tool calls");

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

/** @typedef {{ id: string, name: string, arguments: unknown, isText: boolean }} Call `isText`: whether the arguments are the text of a custom tool */

/**
 * Converts calls in any provider's form to respool's own form.
 *
 * @param {readonly CallToParse[]} toolCalls
 */
export const readCalls = (toolCalls) => requireCalls(toolCalls).map(readCall);

/**
 * Returns an id that no other call has.
 *
 * @param {number} index index of the call in the list
 * @param {Set<string>} taken
 */
function freeId(index, taken) {
  let id = `call_${index}`;
  for (let nth = 2; taken.has(id); nth += 1) id = `call_${index}_${nth}`;
  taken.add(id);
  return id;
}

/**
 * @param {CallToParse} call
 * @param {number} index
 * @returns {Call} the call, with an empty id if there is none
 */
function readCall(call, index) {
  const { type, id, call_id, custom, function: tool = custom, toolUse = tool } = /** @type {Record<string, unknown>} */ (call);
  const named = /** @type {Record<string, unknown>} */ (typeof toolUse === "object" && toolUse !== null ? toolUse : call);
  const { name } = named;
  const key = ["arguments", "input", "args"].find((member) => member in named) ?? "arguments";
  // Ollama, Workers AI and Gemini may send no id.
  const ownId = /** @type {string} */ (call_id || id || named.toolUseId || "");
  // Gemini omits empty arguments. A tool's definition, in contrast, has a description, parameters or another type.
  const hasNoMore = () => Object.keys(named).every((member) => BARE.has(member)) && (ownId !== "" || named === call);
  const isBare = type === "tool_use" || type === "function_call" || hasNoMore();
  if (typeof name === "string" && (key in named || isBare)) {
    const isText = typeof named[key] === "string" && (named === custom || type === "custom_tool_call");
    return { id: ownId, name, arguments: named[key], isText };
  }
  const members = Object.keys(call).slice(0, MAX_MEMBERS).join(", ") || "no members";
  const expected =
    "{ id, name, arguments }, chat's { id, function: { name, arguments } }, Anthropic's { id, name, input }, Bedrock's { toolUseId, name, input }, Gemini's { name, args } or Responses' { call_id, name, arguments }";
  throw new OutputParseError("not-a-tool-call", `toolCalls[${index}] isn't a tool call: expected ${expected}, got ${members}`, {
    text: call,
  });
}

/** The members of a call without arguments. */
const BARE = new Set(["id", "name", "call_id", "toolUseId"]);

/** Maximum number of an unknown call's members in a message. */
const MAX_MEMBERS = 10;

/**
 * @param {Call} call
 * @param {boolean} repairs
 * @returns {ActionModel | RepairedAction}
 */
function toAction({ id: toolCallId, name: toolName, arguments: input, isText }, repairs) {
  const details = { toolCallId, toolName };
  const { value, repair, status } = isText ? asIs(input) : unwrap(readArguments(input, repairs, details), repairs);
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
  // The arguments of decode() are already parsed.
  if (typeof text !== "string") return asIs(text);
  if (text.trim() === "") return asIs({});
  return readJson(text, repairs, `Invalid JSON in arguments for tool '${details.toolName}'`, details);
}

/**
 * @param {unknown} value
 * @returns {ParsedArguments}
 */
function asIs(value) {
  return { value, repair: "direct", status: "complete" };
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
