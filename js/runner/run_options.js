/** The options of a request, checked. */

import { checked } from "../checked.js";
import { isSet, open, readSignal, readSwitch, readWord, wrong } from "../options.js";
import { clockOf } from "./clock.js";

const NAMES = [
  ...["transport", "api", "messages", "params", "tools", "toolDefinitions", "exitTools", "toolBudget", "budgetUnit"],
  ...["onToolError", "toolTimeoutMs", "stallTimeoutMs", "maxRetries", "rebuildConversation", "fallback", "loopDetector"],
  ...["parallelTools", "signal", "onDelta", "limits", "clock", "random"],
];

export function readFunction(given, name, isNeeded) {
  const value = given[name];
  if (isSet(value) ? typeof value !== "function" : isNeeded) wrong(`options.${name}`, "a function");
  return value;
}

export function readCount(given, name, otherwise) {
  const value = given[name] ?? otherwise;
  return Number.isInteger(value) && value >= 0 && value <= 0xffffffff
    ? value
    : wrong(`options.${name}`, "a whole number, 0 or more");
}

function readTime(given, name) {
  const value = given[name];
  if (!isSet(value) || value === Infinity) return undefined;
  return value > 0 ? value : wrong(`options.${name}`, "a number of milliseconds above 0");
}

function readTools({ tools }) {
  const given = tools ?? {};
  if (typeof given !== "object") wrong("options.tools", "an object with a function for each tool");
  for (const name of Object.keys(given)) if (typeof given[name] !== "function") wrong(`options.tools.${name}`, "a function");
  return given;
}

function readList(given, name, otherwise) {
  const value = given[name] ?? otherwise;
  return Array.isArray(value) ? value : wrong(`options.${name}`, "a list");
}

export const readRunOptions = checked((options) => {
  const given = open(options, "options", NAMES);
  const signal = readSignal(given);
  const tools = readTools(given);
  return {
    ...given,
    signal,
    transport: readFunction(given, "transport", true),
    api: given.api ?? given.transport.api,
    messages: [...readList(given, "messages")],
    tools,
    toolDefinitions: readList(given, "toolDefinitions", []),
    parallelTools: readSwitch(given, "parallelTools", false),
    stallTimeoutMs: readTime(given, "stallTimeoutMs"),
    toolTimeoutMs: readTime(given, "toolTimeoutMs"),
    rebuildConversation: readFunction(given, "rebuildConversation"),
    onDelta: readFunction(given, "onDelta"),
    clock: clockOf(given.clock),
    random: readFunction(given, "random") ?? Math.random,
    /** For the machine. */
    machine: {
      tools: Object.keys(tools),
      exitTools: readList(given, "exitTools", []),
      toolBudget: readCount(given, "toolBudget", 10),
      perIteration: readWord(given, "budgetUnit", ["call", "iteration"]) === 1,
      feedback: readWord(given, "onToolError", ["fail", "feedback"]) === 1,
      maxRetries: readCount(given, "maxRetries", 0),
    },
  };
}, "the options");

/** What the accumulator of each turn is told. */
export function streamOptions({ api, limits, fallback, loopDetector, toolDefinitions }) {
  const options = { api, limits };
  if (loopDetector !== false && loopDetector !== undefined) options.loopDetector = loopDetector;
  if (fallback) {
    const { reasoningTags, ...textToolCalls } = fallback === true ? {} : fallback;
    options.textToolCalls = { tools: toolDefinitions, formats: "auto", ...textToolCalls };
    if (reasoningTags !== undefined) options.reasoningTags = reasoningTags;
  }
  return options;
}

/** What is sent to the model. */
export function payloadOf({ api, params, toolDefinitions }, messages) {
  const payload = { stream: true, ...params, [api === "openai-responses" ? "input" : "messages"]: messages };
  if (toolDefinitions.length > 0) payload.tools = toolDefinitions;
  return payload;
}
