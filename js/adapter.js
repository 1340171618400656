/** Shared by the adapters for pages: generators that read deltas, and responses that stream them. */

/** @import { StreamSourceOptions } from "respool" */
/** @import { RequestDelta, RequestHeaders, StreamSource } from "./types/api.js" */
/** @import { DeltaSource, SourceState } from "./delta_source.js" */

import { streamDeltas } from "respool";
import { settling } from "./abort.js";
import { checked } from "./checked.js";
import { deltasOf } from "./delta_source.js";
import { SOURCE_OPTIONS } from "./options.js";
import { isSet, openOptions, readFunction, readSignal, requireSync } from "./read_option.js";
import { ShownChoice } from "./shown_choice.js";

export { EVENT_STREAM_HEADERS } from "./event_stream_headers.js";

/**
 * Copies the options of an adapter: its own, and those of its source.
 *
 * @type {<Options extends object>(options: Options | null | undefined, names: readonly string[]) => Options | Partial<Options>}
 */
export const readAdapterOptions = checked(
  (options, names) => ({ ...openOptions(options, "options", [...names, ...SOURCE_OPTIONS]) }),
  "The options",
);

/**
 * Opens a source. If an option is invalid, closes the source instead, because nobody will read or await it then.
 *
 * @template {DeltaSource} Source
 * @template Result
 * @param {Source} source
 * @param {(input: Source) => Result} open
 * @returns {Result}
 */
export function openOrClose(source, open) {
  const input = /** @type {Source} */ (settling(source));
  try {
    return open(input);
  } catch (error) {
    streamDeltas(/** @type {StreamSource} */ (input)).return();
    throw error;
  }
}

/**
 * Reads the option `onError`. If it fails or returns no text, `fallback` is used: without the error, a page would take
 * the answer for a success.
 *
 * @param {((error: unknown) => string) | null | undefined} value
 * @param {(error: unknown) => string} fallback
 * @returns {(error: unknown) => string}
 */
export function readOnError(value, fallback) {
  const onError = readFunction(value, "options.onError");
  return (error) => {
    try {
      const text = requireSync(onError?.(error), "options.onError");
      if (typeof text === "string") return text;
    } catch {
      // The error that `onError` was called for matters more.
    }
    return fallback(error);
  };
}

/**
 * Deltas to read, and the state of their source.
 *
 * @typedef {object} Opened
 * @property {AsyncGenerator<RequestDelta, void, undefined>} deltas
 * @property {SourceState} state
 * @property {AbortController} abortController its abort stops the reading
 */

/**
 * Returns a generator over the deltas of a source, and a function that closes both, even in the middle of a read.
 *
 * @template Item
 * @param {DeltaSource} input
 * @param {StreamSourceOptions} options
 * @param {(opened: Opened) => AsyncGenerator<Item, void, undefined>} generate
 */
export function generateFrom(input, { signal: signalOption, ...options }, generate) {
  streamDeltas([], options).return(); // reports invalid options at once
  const signal = readSignal({ signal: signalOption });
  const abortController = new AbortController();
  const abort = () => abortController.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true, signal: abortController.signal });
  /** @type {SourceState} */
  const state = { shown: new ShownChoice() };
  const deltas = deltasOf(input, { ...options, signal: abortController.signal }, state);
  const items = generate({ deltas, state, abortController });
  const end = items.return.bind(items);
  return {
    items,
    /** @param {unknown} [reason] */
    async close(reason) {
      abortController.abort(reason);
      await end();
      // If nothing was read yet, this closes the source.
      await deltas.next().catch(() => {});
    },
  };
}

/**
 * Whether an error means that the reading was cancelled. A tool that throws an `AbortError` has failed instead.
 *
 * @param {unknown} error
 * @param {Opened} opened
 */
export const isCancelled = (error, { state, abortController }) =>
  abortController.signal.aborted || (state.failure === undefined && /** @type {Error | null} */ (error)?.name === "AbortError");

/** Names of the options of a response, apart from those of the events in its body. */
export const RESPONSE_PARTS = ["status", "statusText", "headers"];

/** @typedef {{ status?: number | undefined, statusText?: string | undefined, headers?: RequestHeaders | undefined }} ResponseParts */

/**
 * Reads the data of events one by one; undefined at the end.
 *
 * @typedef {object} EventData
 * @property {() => Promise<string | undefined>} next
 * @property {(reason: unknown) => Promise<unknown>} close
 */

/**
 * Creates the options of a `Response`. Checks them before anything is opened: a 204, for example, can't have a body.
 *
 * @type {(parts: ResponseParts, defaults: Record<string, string>) => ResponseInit}
 */
export const readResponseInit = checked(({ status, statusText, headers }, defaults) => {
  const allHeaders = new Headers(headers ?? {});
  for (const [name, value] of Object.entries(defaults)) if (!allHeaders.has(name)) allHeaders.set(name, value);
  const init = { headers: allHeaders, ...(isSet(status) && { status }), ...(isSet(statusText) && { statusText }) };
  // `Response` may accept invalid ones: that of @hono/node-server reads its options late.
  if (isSet(status) && !allowsBody(status)) throw new RangeError(`status must be one of a response with a body, not ${status}`);
  if (isSet(statusText) && !/^[\t\x20-\x7e\x80-\xff]*$/.test(statusText)) throw new TypeError("statusText must be Latin-1");
  return init;
}, "The options of the response");

/** @param {number} status */
const allowsBody = (status) => Number.isInteger(status) && status >= 200 && status <= 599 && ![204, 205, 304].includes(status);

/**
 * Creates a response with a body of server-sent events. Nothing is read until the client asks for it.
 *
 * @param {EventData} data
 * @param {ResponseInit} init
 */
export function eventResponse({ next, close }, init) {
  const encoder = new TextEncoder();
  /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */
  const body = new ReadableStream(
    {
      async pull(controller) {
        const text = await next();
        if (text === undefined) controller.close();
        else controller.enqueue(encoder.encode(`data: ${text}\n\n`));
      },
      cancel: async (reason) => void (await close(reason)),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, init);
}
