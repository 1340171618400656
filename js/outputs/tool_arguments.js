/** What a model wants a program to do. */

import { checked } from "../checked.js";
import { OutputParseError } from "../errors.js";
import { describe } from "../input.js";
import { wrong } from "../options.js";
import { parse, readJson, readRepair } from "./json_text.js";

function requireCalls(toolCalls) {
  if (!Array.isArray(toolCalls)) wrong("toolCalls", `a list of tool calls, not ${describe(toolCalls)}`);
  toolCalls.forEach((call, at) => {
    if (typeof call !== "object" || call === null) wrong(`toolCalls[${at}]`, `a tool call, not ${describe(call)}`);
  });
  return toolCalls;
}

export const parseResponse = checked((response) => {
  if (typeof response !== "object" || response === null)
    wrong("the response", `an object with content, toolCalls and usage, not ${describe(response)}`);
  const { content, toolCalls, usage } = response;
  return { text: content ?? "", toolCalls: [...requireCalls(toolCalls ?? [])], usage };
}, "the response");

export const parseToolArguments = checked((toolCalls, options) => {
  const repairs = readRepair(options);
  return requireCalls(toolCalls).map((call) => toAction(call, repairs));
}, "the tool calls");

function toAction({ id: toolCallId, name: toolName, arguments: given }, repairs) {
  const details = { toolCallId, toolName };
  const { value, repair, status } = decoded(readArguments(given, repairs, details), repairs);
  const kind = kindOf(value);
  if (kind !== "object") {
    const message = `Tool '${toolName}' arguments must be a JSON object, got ${kind}`;
    throw new OutputParseError("not-an-object", message, { ...details, text: given });
  }
  const action = { toolCallId, toolName, arguments: value };
  return repairs ? { ...action, repair, status } : action;
}

function readArguments(given, repairs, details) {
  const text = given ?? "";
  // decode() has parsed them already.
  if (typeof text !== "string") return { value: text, repair: "direct", status: "complete" };
  if (text.trim() === "") return { value: {}, repair: "direct", status: "complete" };
  return readJson(text, repairs, `Invalid JSON in arguments for tool '${details.toolName}'`, details);
}

/** Some servers put the JSON of the arguments into a JSON string. */
function decoded(read, repairs) {
  const inner = repairs && typeof read.value === "string" ? parse(read.value) : undefined;
  return kindOf(inner) === "object" ? { value: inner, repair: "double-encoded", status: read.status } : read;
}

function kindOf(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
