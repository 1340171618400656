/** The UI message stream of the AI SDK: https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol */

/** @import { RequestDelta } from "../types/api.js" */
/** @import { UIMessageChunk, UIMessageSource, UIMessageStreamOptions } from "../types/ai_sdk.js" */

import { streamDeltas } from "respool";
import { settling } from "../abort.js";
import { checked } from "../checked.js";
import { UIMessageChunks } from "./chunks.js";
import { deltasOf } from "./deltas.js";

/** The default of `onError`: the message of an error may be meant for the server alone. */
const genericError = () => "An error occurred.";

/** @type {NonNullable<UIMessageStreamOptions["messageMetadata"]>} */
const usageOnly = ({ usage }) => (usage === undefined ? undefined : { usage });

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  connection: "keep-alive",
  "x-vercel-ai-ui-message-stream": "v1",
  "x-accel-buffering": "no",
};

/** @type {<Options extends object>(options: Options | undefined) => Options | Partial<Options>} */
const copyOptions = checked((options) => ({ .../** @type {object} */ (options) }), "the options");

/**
 * @param {UIMessageSource} source
 * @param {UIMessageStreamOptions} [options]
 * @returns {ReadableStream<UIMessageChunk>}
 */
export function toUIMessageStream(source, options) {
  const input = /** @type {UIMessageSource} */ (settling(source));
  const {
    messageId,
    messageMetadata = usageOnly,
    onError = genericError,
    sendReasoning,
    sendSources,
    signal,
    ...sourceOptions
  } = copyOptions(options);
  streamDeltas([], sourceOptions).return(); // reports invalid options at once
  const leaving = new AbortController();
  const leave = () => leaving.abort(signal?.reason);
  if (signal?.aborted) leave();
  signal?.addEventListener("abort", leave, { once: true, signal: leaving.signal });
  const chunks = new UIMessageChunks({
    ...{ messageMetadata, onError },
    ...(messageId !== undefined && { messageId }),
    ...(sendReasoning !== undefined && { sendReasoning }),
    ...(sendSources !== undefined && { sendSources }),
  });
  const deltas = deltasOf(input, { ...sourceOptions, signal: leaving.signal });
  const all = chunksOf(chunks, deltas, leaving);
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await all.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel(reason) {
        leaving.abort(reason);
        await all.return();
        // If nothing was read yet, this closes the source.
        await deltas.next().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * @param {UIMessageChunks} chunks
 * @param {AsyncGenerator<RequestDelta, void, undefined>} deltas
 * @param {AbortController} leaving
 * @returns {AsyncGenerator<UIMessageChunk, void, undefined>}
 */
async function* chunksOf(chunks, deltas, leaving) {
  yield chunks.start();
  try {
    for await (const delta of deltas) yield* chunks.take(delta);
    yield* chunks.finish();
  } catch (error) {
    if (leaving.signal.aborted || /** @type {Error | null} */ (error)?.name === "AbortError") yield* chunks.abort();
    else yield* [...(chunks.hasFailed ? [] : chunks.fail(error)), ...chunks.finish()];
  } finally {
    leaving.abort(); // stops listening to the caller's signal
  }
}

/**
 * @param {UIMessageSource} input
 * @param {UIMessageStreamOptions & { status?: number, statusText?: string, headers?: import("../types/api.js").RequestHeaders }} [responseOptions]
 * @returns {Response}
 */
export function toUIMessageStreamResponse(input, responseOptions) {
  const { status, statusText, headers, ...options } = copyOptions(responseOptions);
  const allHeaders = new Headers(headers);
  for (const [name, value] of Object.entries(HEADERS)) if (!allHeaders.has(name)) allHeaders.set(name, value);
  const { onError = genericError } = options;
  const encoder = new TextEncoder();
  const event = (/** @type {string} */ data) => encoder.encode(`data: ${data}\n\n`);
  /** @type {TransformStream<UIMessageChunk, Uint8Array<ArrayBuffer>>} */
  const events = new TransformStream({
    transform: (chunk, controller) => controller.enqueue(event(jsonOf(chunk, onError))),
    flush: (controller) => controller.enqueue(event("[DONE]")),
  });
  return new Response(toUIMessageStream(input, options).pipeThrough(events), {
    headers: allHeaders,
    ...(status !== undefined && { status }),
    ...(statusText !== undefined && { statusText }),
  });
}

/**
 * Arguments may be nested too deeply for the engine's JSON.stringify.
 *
 * @param {UIMessageChunk} chunk
 * @param {(error: unknown) => string} onError
 */
function jsonOf(chunk, onError) {
  try {
    return JSON.stringify(chunk);
  } catch (error) {
    return JSON.stringify({ type: "error", errorText: onError(error) });
  }
}
