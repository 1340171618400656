/** The options of a request, validated. */

/** @import { Clock, RequestMessage, RequestOptions, StreamAccumulatorOptions, ToolHandler } from "../types/api.js" */

import { checked } from "../checked.js";
import { isSet, openOptions, readCount, readFunction, readSignal, readSwitch, readWord, refuseValue } from "../options.js";
import { clockOf } from "./clock.js";

const NAMES = [
  ...["transport", "api", "messages", "params", "tools", "toolDefinitions", "exitTools", "toolBudget", "budgetUnit"],
  ...["onToolError", "toolTimeoutMs", "stallTimeoutMs", "maxRetries", "rebuildConversation", "fallback", "loopDetector"],
  ...["parallelTools", "signal", "onDelta", "limits", "clock", "random"],
];

/**
 * A duration in milliseconds; undefined for none.
 *
 * @param {unknown} value
 * @param {string} path
 */
function readTimeout(value, path) {
  if (!isSet(value) || value === Infinity) return undefined;
  const ms = /** @type {number} */ (value);
  return ms > 0 ? ms : refuseValue(path, "a number of milliseconds above 0", value);
}

/**
 * @param {RequestOptions["tools"] | null} value
 * @returns {Record<string, ToolHandler>}
 */
function readTools(value) {
  const tools = value ?? {};
  if (typeof tools !== "object") refuseValue("options.tools", "an object with a function for each tool", tools);
  for (const name of Object.keys(tools)) {
    if (typeof tools[name] !== "function") refuseValue(`options.tools.${name}`, "a function", tools[name]);
  }
  return tools;
}

/**
 * @template T
 * @param {readonly T[] | null | undefined} value
 * @param {string} path
 * @returns {readonly T[]}
 */
const readList = (value, path) => (Array.isArray(value) ? value : refuseValue(path, "a list", value));

/** @param {RequestOptions} allOptions */
const read = (allOptions) => {
  const options = openOptions(allOptions, "options", NAMES);
  const signal = readSignal(options);
  const tools = readTools(options.tools);
  const transport = readFunction(options.transport, "options.transport");
  if (transport === undefined) return refuseValue("options.transport", "a function", transport);
  return {
    signal,
    transport,
    tools,
    api: options.api ?? transport.api,
    params: options.params,
    limits: options.limits,
    fallback: options.fallback,
    loopDetector: options.loopDetector,
    messages: /** @type {RequestMessage[]} */ ([...readList(options.messages, "options.messages")]),
    toolDefinitions: readList(options.toolDefinitions ?? [], "options.toolDefinitions"),
    exitTools: readList(options.exitTools ?? [], "options.exitTools"),
    parallelTools: readSwitch(options.parallelTools, "options.parallelTools", false),
    stallTimeoutMs: readTimeout(options.stallTimeoutMs, "options.stallTimeoutMs"),
    toolTimeoutMs: readTimeout(options.toolTimeoutMs, "options.toolTimeoutMs"),
    rebuildConversation: readFunction(options.rebuildConversation, "options.rebuildConversation"),
    onDelta: readFunction(options.onDelta, "options.onDelta"),
    clock: /** @type {Required<Clock>} */ (clockOf(options.clock)),
    random: readFunction(options.random, "options.random") ?? Math.random,
    /** The options of the state machine in the module. */
    machine: {
      tools: Object.keys(tools),
      exitTools: readList(options.exitTools ?? [], "options.exitTools"),
      toolBudget: readCount(options.toolBudget ?? 10, "options.toolBudget", 0),
      perIteration: readWord(options.budgetUnit, "options.budgetUnit", ["call", "iteration"]) === 1,
      feedback: readWord(options.onToolError, "options.onToolError", ["fail", "feedback"]) === 1,
      maxRetries: readCount(options.maxRetries ?? 0, "options.maxRetries", 0),
    },
  };
};

/** @typedef {ReturnType<typeof read>} RunOptions */

export const readRunOptions = checked(read, "the options");

/**
 * The options of each turn's accumulator.
 *
 * @param {RunOptions} runOptions
 * @returns {StreamAccumulatorOptions}
 */
export function streamOptions(runOptions) {
  const { api, limits, fallback, loopDetector } = runOptions;
  /** @type {StreamAccumulatorOptions} */
  const options = {};
  if (api !== undefined) options.api = api;
  if (limits !== undefined) options.limits = limits;
  if (loopDetector !== false && loopDetector !== undefined) options.loopDetector = loopDetector;
  if (fallback) {
    const { reasoningTags, ...textToolCalls } = fallback === true ? {} : fallback;
    options.textToolCalls = { tools: textTools(runOptions), formats: "auto", ...textToolCalls };
    if (reasoningTags !== undefined) options.reasoningTags = reasoningTags;
  }
  return options;
}

/**
 * The tools that text may call: those that are defined, and those that have a handler or end the request.
 */
const textTools = checked((/** @type {RunOptions} */ { tools, params, toolDefinitions, exitTools }) => {
  const definitions = [...toolDefinitions, ...(Array.isArray(params?.tools) ? params.tools : [])];
  const defined = new Set(definitions.map((definition) => definition?.function?.name ?? definition?.name));
  const others = [...Object.keys(tools), ...exitTools].filter((name) => !defined.has(name));
  return [...definitions, ...others.map((name) => ({ name }))];
}, "the tools");

/**
 * The payload for the transport.
 *
 * @param {RunOptions} options
 * @param {readonly RequestMessage[]} messages
 * @returns {Record<string, unknown>}
 */
export function payloadOf({ api, params, toolDefinitions }, messages) {
  /** @type {Record<string, unknown>} */
  const payload = { stream: true, ...params, [api === "openai-responses" ? "input" : "messages"]: messages };
  if (toolDefinitions.length > 0) payload.tools = toolDefinitions;
  return payload;
}
