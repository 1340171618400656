/** Answers that are still on their way, in whatever a user has: what each comes to. */

import { process as ofBody, processAsync as ofPromise } from "../pkg/wasm/respool.js";
import { orAbort } from "./abort.js";
import { openAnswer } from "./answer_source.js";
import { DecodeError } from "./errors.js";
import { readAgent, readProcessOptions, readSignal } from "./options.js";
import { closeSource } from "./source.js";
import { checkResult, readDeltas } from "./streams.js";

/**
 * Resolves with the `value` that an answer comes to, and with what it was read from: its `body` if it came whole, or
 * the `result` of its stream.
 */
export async function answer(agent, source, options) {
  let settings;
  let signal;
  try {
    settings = [...readProcessOptions(options, ["signal"]), ...readAgent(agent)];
    signal = readSignal(options);
  } catch (error) {
    closeSource(source); // nobody will read it, or wait for it
    throw error;
  }
  const { body, retry, stream } = await openAnswer(source, signal);
  if (stream) return readStream(agent, stream, settings, signal);
  try {
    return { body, value: await orAbort(ofPromise(Promise.resolve(body), ...settings), signal) };
  } catch (error) {
    // It may be lines of JSON, or the page with which a server fails.
    if (retry === undefined || error?.code !== "invalid-json") throw error;
    return readStream(agent, retry, settings, signal, error);
  }
}

/** What a stream comes to; `otherwise` is thrown if there is nothing in it. */
async function readStream(agent, stream, settings, signal, otherwise) {
  const state = { result: undefined };
  for await (const _ of readDeltas(stream, { agent, signal }, state));
  const { result } = state;
  checkResult(result);
  const { ending, text, toolCalls, refusal, warnings } = result;
  if (ending === "truncated" && text === "" && toolCalls.length === 0 && refusal === undefined) {
    const reason = warnings[0]?.message ?? "it ends before anything was said";
    throw otherwise ?? new DecodeError("empty-response", `the source has no answer: ${reason}`);
  }
  return { result, value: valueOf(result, settings) };
}

/** The same as `process` gives for the whole answer. */
function valueOf({ toolCalls, text, refusal, response }, settings) {
  const [isFirst, , , , expectsJson] = settings;
  if (toolCalls.length > 0) return toolCalls;
  const blocks = isFirst ? response.apiSpecific?.contentBlocks : undefined;
  const said = blocks ? (blocks.find(({ type }) => type === "text")?.text ?? "") : text;
  if (said === "") return refusal ?? "";
  return expectsJson ? ofBody({ choices: [{ message: { content: said } }] }, ...settings) : said;
}
