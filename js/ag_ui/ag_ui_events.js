/** AG-UI runs: https://docs.ag-ui.com */

/** @import { RequestDelta } from "../types/api.js" */
/** @import { Opened } from "../adapter.js" */
/** @import { AgUiEvent, AgUiOptions, AgUiSource } from "../types/ag_ui.js" */

import {
  EVENT_STREAM_HEADERS,
  eventResponse,
  generateFrom,
  isCancelled,
  openOrClose,
  readAdapterOptions,
  readOnError,
  readResponseInit,
  RESPONSE_PARTS,
} from "../adapter.js";
import { splitMissed } from "../delta_source.js";
import { isSet, readFunction, readId, readSwitch, requireSync } from "../read_option.js";
import { joinPieces, readResume } from "../resume.js";
import { AgUiEvents } from "./events.js";
import { codeOf, publicMessage } from "./failures.js";

const OPTIONS = ["threadId", "runId", "parentRunId", "resume", "result", "sendReasoning", "onError"];

/**
 * @param {AgUiSource} source
 * @param {AgUiOptions} options
 * @returns {AsyncGenerator<AgUiEvent, void, undefined>}
 */
export function toAgUiEvents(source, options) {
  return openOrClose(source, (input) => openEvents(input, options));
}

/**
 * @param {AgUiSource} input
 * @param {AgUiOptions} options
 * @returns {AsyncGenerator<AgUiEvent, void, undefined>}
 */
function openEvents(input, options) {
  const { threadId, runId, parentRunId, resume, result, sendReasoning, onError, ...sourceOptions } = readAdapterOptions(
    options,
    OPTIONS,
  );
  const events = new AgUiEvents({
    threadId: readId(threadId, "options.threadId"),
    runId: readId(runId, "options.runId"),
    parentRunId: isSet(parentRunId) ? readId(parentRunId, "options.parentRunId") : undefined,
    sendReasoning: readSwitch(sendReasoning, "options.sendReasoning", true),
    onError: readOnError(onError, publicMessage),
  });
  const missed = splitMissed(readResume(resume), input);
  const { items, close } = generateFrom(input, sourceOptions, (opened) =>
    eventsOf(events, { missed, resultOf: readFunction(result, "options.result") }, opened),
  );
  /** @type {() => Promise<IteratorResult<AgUiEvent, void>>} */
  const cancel = async () => {
    await close();
    return { done: true, value: undefined };
  };
  /** @param {unknown} error */
  const cancelWithError = async (error) => {
    await close();
    throw error;
  };
  return Object.defineProperties(items, { return: { value: cancel }, throw: { value: cancelWithError } });
}

/**
 * @param {AgUiEvents} events
 * @param {{ missed: import("../delta_source.js").Missed, resultOf: AgUiOptions["result"] }} given
 * @param {Opened} opened
 * @returns {AsyncGenerator<AgUiEvent, void, undefined>}
 */
async function* eventsOf(events, { missed: { earlier, begun, isStream }, resultOf }, opened) {
  const { deltas, state, abortController } = opened;
  // The caller's result covers the whole answer.
  const hasResult = resultOf !== undefined;
  const take = (/** @type {RequestDelta[]} */ missed, isOneAnswer = hasResult) =>
    missed.flatMap((delta) => state.shown.take(delta)).flatMap((delta) => events.take(delta, isOneAnswer));
  yield events.start();
  try {
    const past = take(earlier);
    if (!hasResult) events.startSource();
    yield* joinPieces([...past, ...take(begun, hasResult || isStream)], readPiece);
    for await (const delta of deltas) yield* events.take(delta, hasResult || state.isStream);
    const stream = state.stream ?? requireSync(resultOf?.(), "options.result");
    yield* events.finish({ ...state, ...(stream && { stream }) });
  } catch (error) {
    yield* isCancelled(error, opened) ? events.cancel() : events.fail(error, state);
  } finally {
    abortController.abort(); // stops listening to the caller's signal
  }
}

/** @type {import("../resume.js").ReadPiece<AgUiEvent>} */
function readPiece(event) {
  switch (event.type) {
    case "TEXT_MESSAGE_CONTENT":
    case "REASONING_MESSAGE_CONTENT":
      return { part: event.messageId, text: event.delta, withText: (delta) => ({ ...event, delta }) };
    case "TOOL_CALL_ARGS":
      return { part: `call ${event.toolCallId}`, text: event.delta, withText: (delta) => ({ ...event, delta }) };
    default:
      return undefined;
  }
}

/**
 * @param {AgUiSource} source
 * @param {AgUiOptions & { status?: number, statusText?: string, headers?: import("../types/api.js").RequestHeaders }} responseOptions
 * @returns {Response}
 */
export function toAgUiResponse(source, responseOptions) {
  return openOrClose(source, (input) => {
    const { status, statusText, headers, ...options } = readAdapterOptions(responseOptions, [...OPTIONS, ...RESPONSE_PARTS]);
    const init = readResponseInit({ status, statusText, headers }, EVENT_STREAM_HEADERS);
    const onError = readOnError(options.onError, publicMessage);
    const events = openEvents(input, /** @type {AgUiOptions} */ (options));
    let isOver = false;
    const next = async () => {
      const { done, value } = isOver ? { done: true, value: undefined } : await events.next();
      if (done) return undefined;
      try {
        return JSON.stringify(value);
      } catch (error) {
        // Values may be nested too deeply for the engine's JSON.stringify. Nothing may follow the error.
        isOver = true;
        await events.return();
        return JSON.stringify(runError(error, onError));
      }
    };
    return eventResponse({ next, close: () => events.return() }, init);
  });
}

/**
 * @param {unknown} error
 * @param {(error: unknown) => string} onError
 * @returns {AgUiEvent}
 */
function runError(error, onError) {
  const code = codeOf(error);
  return { type: "RUN_ERROR", message: onError(error), ...(code !== undefined && { code }) };
}
