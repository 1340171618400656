/** The UI message stream of the AI SDK: https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol */

/** @import { RequestDelta } from "../types/api.js" */
/** @import { Opened } from "../adapter.js" */
/** @import { UIMessageChunk, UIMessageSource, UIMessageStreamOptions, UIVersion } from "../types/ai_sdk.js" */

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
import { isSet, readFunction, readId, readSwitch, refuseValue, requireSync } from "../read_option.js";
import { joinPieces, readResume } from "../resume.js";
import { UIMessageChunks } from "./chunks.js";

/** The default of `onError`: the message of an error may be meant for the server alone. */
const genericError = () => "An error occurred.";

/** @type {NonNullable<UIMessageStreamOptions["messageMetadata"]>} */
const usageOnly = ({ usage }) => (usage === undefined ? undefined : { usage });

const OPTIONS = [
  ...["dynamicTools", "messageId", "messageMetadata", "onError"],
  ...["resume", "sendReasoning", "sendSources", "version"],
];

const HEADERS = { ...EVENT_STREAM_HEADERS, "x-vercel-ai-ui-message-stream": "v1" };

/**
 * @template {UIVersion} [Version=5]
 * @param {UIMessageSource} source
 * @param {UIMessageStreamOptions<Version>} [options]
 * @returns {ReadableStream<UIMessageChunk<Version>>}
 */
export function toUIMessageStream(source, options) {
  return openOrClose(source, (input) => openChunks(input, options));
}

/**
 * @template {UIVersion} Version
 * @param {UIMessageSource} input
 * @param {UIMessageStreamOptions<Version>} [options]
 * @returns {ReadableStream<UIMessageChunk<Version>>}
 */
function openChunks(input, options) {
  const { dynamicTools, messageId, messageMetadata, onError, resume, sendReasoning, sendSources, version, ...sourceOptions } =
    readAdapterOptions(options, OPTIONS);
  const chunks = new UIMessageChunks({
    messageMetadata: readFunction(messageMetadata, "options.messageMetadata") ?? usageOnly,
    onError: readOnError(onError, genericError),
    isDynamic: readDynamic(dynamicTools),
    version: readVersion(version),
    ...(isSet(messageId) && { messageId: readId(messageId, "options.messageId") }),
    sendReasoning: readSwitch(sendReasoning, "options.sendReasoning", true),
    sendSources: readSwitch(sendSources, "options.sendSources", true),
  });
  const missed = splitMissed(readResume(resume), input);
  // Errors become chunks by default, so that the page gets them and the chunks that follow.
  const throwOnError = sourceOptions.throwOnError ?? false;
  const { items, close } = generateFrom(input, { ...sourceOptions, throwOnError }, (opened) => chunksOf(chunks, missed, opened));
  /** @type {ReadableStream<UIMessageChunk<7>>} */
  const stream = new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await items.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
  return /** @type {ReadableStream<UIMessageChunk<Version>>} */ (stream);
}

/** The versions of the AI SDK whose chunks are known. */
const VERSIONS = /** @type {const} */ ([5, 6, 7]);

/** @param {unknown} value */
const readVersion = (value) =>
  VERSIONS.find((version) => version === (value ?? 5)) ?? refuseValue("options.version", "5, 6 or 7", value);

/**
 * @param {unknown} value
 * @returns {(name: string) => boolean}
 */
function readDynamic(value = false) {
  if (typeof value === "function") return (name) => Boolean(requireSync(value(name), "options.dynamicTools"));
  const isDynamic = readSwitch(value, "options.dynamicTools", false);
  return () => isDynamic;
}

/**
 * @param {UIMessageChunks} chunks
 * @param {import("../delta_source.js").Missed} missed
 * @param {Opened} opened
 * @returns {AsyncGenerator<UIMessageChunk<7>, void, undefined>}
 */
async function* chunksOf(chunks, { earlier, begun, isStream }, opened) {
  const { deltas, state, abortController } = opened;
  const take = (/** @type {RequestDelta[]} */ missed, isOneAnswer = false) =>
    missed.flatMap((delta) => state.shown.take(delta)).flatMap((delta) => chunks.take(delta, isOneAnswer));
  yield chunks.start();
  try {
    yield* joinPieces([...take(earlier), ...take(begun, isStream)], pieceReader());
    for await (const delta of deltas) yield* chunks.take(delta, state.isStream);
    yield* chunks.finish(state);
  } catch (error) {
    if (isCancelled(error, opened)) yield* chunks.abort();
    else yield* [...(chunks.hasFailed ? [] : chunks.fail(error)), ...chunks.finish(state)];
  } finally {
    abortController.abort(); // stops listening to the caller's signal
  }
}

/**
 * Returns a function that reads pieces. Two answers may use the same call id, so each `tool-input-start` begins another
 * part.
 *
 * @returns {import("../resume.js").ReadPiece<UIMessageChunk<7>>}
 */
function pieceReader() {
  let callCount = 0;
  /** @type {Map<string, string>} */
  const calls = new Map();
  return (chunk) => {
    switch (chunk.type) {
      case "tool-input-start":
        calls.set(chunk.toolCallId, `call ${callCount++}`);
        return undefined;
      case "tool-input-delta":
        return {
          part: calls.get(chunk.toolCallId) ?? "",
          text: chunk.inputTextDelta,
          withText: (inputTextDelta) => ({ ...chunk, inputTextDelta }),
        };
      case "text-delta":
      case "reasoning-delta":
        return { part: chunk.id, text: chunk.delta, withText: (delta) => ({ ...chunk, delta }) };
      default:
        return undefined;
    }
  };
}

/**
 * @param {UIMessageSource} source
 * @param {UIMessageStreamOptions & { status?: number, statusText?: string, headers?: import("../types/api.js").RequestHeaders }} [responseOptions]
 * @returns {Response}
 */
export function toUIMessageStreamResponse(source, responseOptions) {
  return openOrClose(source, (input) => {
    const { status, statusText, headers, ...options } = readAdapterOptions(responseOptions, [...OPTIONS, ...RESPONSE_PARTS]);
    const init = readResponseInit({ status, statusText, headers }, HEADERS);
    const onError = readOnError(options.onError, genericError);
    const chunks = openChunks(input, options).getReader();
    let isOver = false;
    const next = async () => {
      if (isOver) return undefined;
      const { done, value } = await chunks.read();
      isOver = done;
      return done ? "[DONE]" : jsonOf(value, onError);
    };
    const close = (/** @type {unknown} */ reason) => chunks.cancel(reason);
    return eventResponse({ next, close }, init);
  });
}

/**
 * Writes a chunk as JSON. Arguments may be nested too deeply for the engine's JSON.stringify.
 *
 * @param {UIMessageChunk<7>} chunk
 * @param {(error: unknown) => string} onError
 */
function jsonOf(chunk, onError) {
  try {
    return JSON.stringify(chunk);
  } catch (error) {
    return JSON.stringify({ type: "error", errorText: onError(error) });
  }
}
