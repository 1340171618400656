/** Reads pending answers from any source, and reduces each to its value. */

/** @import { Agent, ProcessAsyncOptions, ProcessResult, StreamResult } from "./types/api.js" */

import { process as processBody, processAsync as processPromise } from "../pkg/wasm/respool.js";
import { orAbort, settling } from "./abort.js";
import { openAnswer } from "./answer_source.js";
import { DeltaReader } from "./delta_reader.js";
import { DecodeError, RespoolError } from "./errors.js";
import { readAgent, readProcessOptions, toJson } from "./options.js";
import { readSignal } from "./read_option.js";
import { closingIfInvalid } from "./source.js";
import { checkCalls, openReading } from "./streams.js";

/**
 * Settings for reducing an answer to its value.
 *
 * @typedef {{ options: ReturnType<typeof readProcessOptions>, agent: ReturnType<typeof readAgent> }} Settings
 */

/**
 * The value of an answer, and the `body` that it was read from, unless it was streamed.
 *
 * @typedef {{ value: ProcessResult, body?: unknown }} Answer
 */

/**
 * The data received, however the source ended: the result of a stream, or the body.
 *
 * @typedef {{ result?: StreamResult | undefined, body?: unknown }} Arrived
 */

/**
 * @param {Agent} agent
 * @param {unknown} answer
 * @param {ProcessAsyncOptions | undefined} options
 * @param {Arrived} arrived
 * @returns {Promise<Answer>}
 */
export async function readAnswer(agent, answer, options, arrived) {
  const source = settling(answer);
  const { settings, signal } = closingIfInvalid(source, () => {
    /** @type {Settings} */
    const settings = { options: readProcessOptions(options, ["signal"]), agent: readAgent(agent) };
    return { settings, signal: readSignal(options) };
  });
  const { body, retry, isBlank, stream } = await openAnswer(source, signal);
  if (stream) return { value: await readStream(agent, stream, settings, signal, arrived) };
  arrived.body = body;
  try {
    const reading = processPromise(Promise.resolve(body), ...settings.options, toJson(settings.agent));
    return { body, value: await orAbort(reading, signal) };
  } catch (error) {
    // The body may be JSON lines, or not JSON at all.
    if (retry === undefined || !RespoolError.isInstance(error) || error.code !== "invalid-json") throw error;
    return { value: await readStream(agent, retry, settings, signal, arrived, isBlank ? undefined : error) };
  }
}

/**
 * Reads a stream to its end. Throws `fallback` if it contains no answer.
 *
 * @param {Agent} agent
 * @param {unknown} stream
 * @param {Settings} settings
 * @param {AbortSignal | undefined} signal
 * @param {Arrived} arrived
 * @param {unknown} [fallback]
 * @returns {Promise<ProcessResult>}
 */
async function readStream(agent, stream, settings, signal, arrived, fallback) {
  const reader = new DeltaReader(openReading(stream, { agent, ...(signal && { signal }) }));
  try {
    for await (const _ of reader.deltas());
  } finally {
    arrived.result = reader.result;
  }
  const result = /** @type {StreamResult} */ (reader.result);
  checkCalls(result);
  const { ending, text, toolCalls, refusal } = result;
  if (ending === "truncated" && text === "" && toolCalls.length === 0 && refusal === undefined) {
    const message = "The source contains no answer: it ended before the first piece of an answer";
    if (fallback !== undefined) arrived.result = undefined; // it wasn't a stream
    throw fallback ?? new DecodeError("empty-response", message);
  }
  return processValue(result, settings);
}

/**
 * Reduces the result of a stream to the value that `process` returns for the complete answer.
 *
 * @param {StreamResult} result
 * @param {Settings} settings
 * @returns {ProcessResult}
 */
function processValue({ toolCalls, text, refusal, response }, { options, agent }) {
  const [isFirstBlock] = options;
  if (toolCalls.length > 0) return toolCalls;
  const { apiSpecific } = response;
  const blocks = isFirstBlock && apiSpecific?.api === "anthropic_messages" ? apiSpecific.contentBlocks : undefined;
  const answerText = blocks ? firstText(blocks) : text;
  if (answerText === "") return refusal ?? "";
  if (!agent?.expectsJson) return answerText;
  const output = phasesOf(response);
  const body = output.length > 0 ? { object: "response", output } : { choices: [{ message: { content: answerText } }] };
  return processBody(body, ...options, toJson(agent));
}

/**
 * Converts the texts of an answer to messages of Responses, if they have phases: commentary isn't part of the JSON.
 *
 * @param {StreamResult["response"]} response
 */
function phasesOf({ message }) {
  const parts = typeof message === "object" ? message.filter((part) => part.type === "text") : [];
  if (parts.every(({ phase }) => phase === undefined)) return [];
  return parts.map(({ text, phase }) => ({ type: "message", phase, content: [{ type: "output_text", text }] }));
}

/** @param {unknown[]} blocks */
function firstText(blocks) {
  const block = /** @type {{ type: unknown, text?: string }[]} */ (blocks).find(({ type }) => type === "text");
  return block?.text ?? "";
}
