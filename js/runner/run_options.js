/** Validates the options of a request. */

/** @import { Clock, RequestMessage, RequestOptions, StreamAccumulatorOptions, ToolHandler } from "../types/api.js" */

import { checked } from "../checked.js";
import { TEXT_SEARCH_OPTIONS } from "../options.js";
import {
  isSet,
  openOptions,
  readCount,
  readFunction,
  readObject,
  readSignal,
  readSwitch,
  readWord,
  refuse,
  refuseValue,
  SWITCH_OR_OPTIONS,
} from "../read_option.js";
import { clockOf } from "./clock.js";
import { definitionsFor } from "./definitions.js";
import { requestFormat, requireTools } from "./messages/format.js";
import { partsOf } from "./tool.js";

const NAMES = [
  ...["transport", "api", "messages", "params", "tools", "toolDefinitions", "exitTools", "toolBudget", "budgetUnit"],
  ...["onToolError", "toolTimeoutMs", "stallTimeoutMs", "maxRetries", "rebuildConversation", "fallback", "loopDetector"],
  ...["parallelTools", "signal", "onDelta", "agent", "partialJson", "limits", "clock", "random"],
];

/**
 * Reads a duration in milliseconds; undefined for none.
 *
 * @param {unknown} value
 * @param {string} path
 */
function readTimeout(value, path) {
  if (!isSet(value) || value === Infinity) return undefined;
  return typeof value === "number" && value > 0 ? value : refuseValue(path, "a number of milliseconds above 0", value);
}

/**
 * @param {RequestOptions["tools"] | null} value
 * @returns {Record<string, ToolHandler>}
 */
function readTools(value) {
  const tools = readObject(value, "options.tools", "an object with a function for each tool") ?? {};
  for (const name of Object.keys(tools)) {
    if (typeof tools[name] !== "function")
      refuseValue(`options.tools.${name}`, "a function, or the result of tool()", tools[name]);
  }
  return tools;
}

/**
 * Returns the names of the tools to run. An exit tool may have only a definition.
 *
 * @param {Record<string, ToolHandler>} tools
 * @param {readonly string[]} exitTools
 */
function namesToRun(tools, exitTools) {
  const names = Object.keys(tools).filter((name) => !exitTools.includes(name));
  const unrunnable = names.find((name) => partsOf(tools[name])?.execute === undefined && partsOf(tools[name]) !== undefined);
  if (unrunnable !== undefined) refuse(`options.tools.${unrunnable} needs options.execute, or its name in options.exitTools`);
  return names;
}

/**
 * @template T
 * @param {readonly T[] | null | undefined} value
 * @param {string} path
 * @returns {readonly T[]}
 */
const readList = (value, path) => (Array.isArray(value) ? value : refuseValue(path, "a list", value));

/**
 * Reads a list whose entries have one type.
 *
 * @template T
 * @param {readonly T[] | null | undefined} value
 * @param {string} path
 * @param {"string" | "object"} type
 */
function readListOf(value, path, type) {
  const list = readList(value ?? [], path);
  const at = list.findIndex((entry) => typeof entry !== type || entry === null);
  return at < 0 ? list : refuseValue(`${path}[${at}]`, type === "string" ? "a string" : "an object", list[at]);
}

/** @param {RequestOptions["fallback"] | null} value */
function readFallback(value) {
  if (value === true) return {};
  if (!isSet(value) || value === false) return undefined;
  return openOptions(value, "options.fallback", TEXT_SEARCH_OPTIONS, SWITCH_OR_OPTIONS);
}

/** @param {RequestOptions} allOptions */
const read = (allOptions) => {
  const options = openOptions(allOptions, "options", NAMES);
  const signal = readSignal(options);
  const tools = readTools(options.tools);
  const transport = readFunction(options.transport, "options.transport");
  if (transport === undefined) return refuseValue("options.transport", "a function", transport);
  const api = options.api ?? transport.api;
  const params = readObject(options.params, "options.params");
  const exitTools = readListOf(options.exitTools, "options.exitTools", "string");
  const { conversation } = requestFormat(api);
  if (isSet(params?.[conversation]))
    refuse(`options.params can't have ${conversation}, because options.messages are sent as that`);
  const toolDefinitions = readListOf(options.toolDefinitions, "options.toolDefinitions", "object");
  if (api !== undefined && (toolDefinitions.length > 0 || Object.keys(tools).length > 0)) requireTools(api);
  return {
    signal,
    transport,
    tools,
    api,
    params,
    agent: options.agent,
    partialJson: options.partialJson,
    limits: options.limits,
    fallback: readFallback(options.fallback),
    loopDetector: options.loopDetector,
    messages: /** @type {RequestMessage[]} */ ([...readList(options.messages, "options.messages")]),
    ...definitionsFor(api, { tools, exitTools, toolDefinitions, params }),
    /** Whether the request fails if arguments don't match the parameters of a tool. */
    refusesInvalid: options.onToolError === "fail",
    parallelTools: readSwitch(options.parallelTools, "options.parallelTools", false),
    stallTimeoutMs: readTimeout(options.stallTimeoutMs, "options.stallTimeoutMs"),
    toolTimeoutMs: readTimeout(options.toolTimeoutMs, "options.toolTimeoutMs"),
    rebuildConversation: readFunction(options.rebuildConversation, "options.rebuildConversation"),
    onDelta: readFunction(options.onDelta, "options.onDelta"),
    clock: /** @type {Required<Clock>} */ (clockOf(options.clock)),
    random: readFunction(options.random, "options.random") ?? Math.random,
    /** The options of the state machine in the module. */
    machine: {
      tools: namesToRun(tools, exitTools),
      exitTools,
      toolBudget: readCount(options.toolBudget ?? 10, "options.toolBudget", 0),
      perIteration: readWord(options.budgetUnit, "options.budgetUnit", ["call", "iteration"]) === 1,
      feedback: readWord(options.onToolError, "options.onToolError", ["fail", "feedback"]) === 1,
      maxRetries: readCount(options.maxRetries ?? 0, "options.maxRetries", 0),
    },
  };
};

/** @typedef {ReturnType<typeof read>} RunOptions */

export const readRunOptions = checked(read, "The options");

/**
 * Returns the options of each turn's accumulator.
 *
 * @param {RunOptions} runOptions
 * @returns {StreamAccumulatorOptions}
 */
export function streamOptions(runOptions) {
  const { api, agent, partialJson, limits, fallback, loopDetector } = runOptions;
  /** @type {StreamAccumulatorOptions} */
  const options = {};
  if (api !== undefined) options.api = api;
  if (agent !== undefined) options.agent = agent;
  if (partialJson !== undefined) options.partialJson = partialJson;
  if (limits !== undefined) options.limits = limits;
  if (loopDetector !== false && loopDetector !== undefined) options.loopDetector = loopDetector;
  if (fallback) {
    const { tools, formats, reasoningTags } = fallback;
    options.textToolCalls = { tools: tools ?? runOptions.textTools, formats: formats ?? "auto" };
    if (reasoningTags !== undefined) options.reasoningTags = reasoningTags;
  }
  return options;
}

/**
 * Returns the payload for the transport.
 *
 * @param {RunOptions} options
 * @param {readonly RequestMessage[]} messages
 * @param {Record<string, unknown>} continued fields that an earlier answer requires
 * @returns {Record<string, unknown>}
 */
export function payloadOf({ api, params, definitions }, messages, continued) {
  const { conversation, fields, toolConfig } = requestFormat(api);
  /** @type {Record<string, unknown>} */
  const payload = { ...fields, ...params, ...continued, [conversation]: [...messages] }; // a copy, because the transport may change it
  if (definitions.length === 0) return payload;
  if (!toolConfig) payload.tools = definitions;
  else payload.toolConfig = { .../** @type {object | undefined} */ (params?.toolConfig), tools: definitions };
  return payload;
}
