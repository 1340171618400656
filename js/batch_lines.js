/**
 * Recognises the contents of a JSON line: a complete answer, perhaps wrapped as in batch result files, or a stream
 * event.
 */

import { detectApi } from "respool";
import { hasMessage } from "./interfaces.js";

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The fields with the request's id and with the body or its wrapper. A field `error` may replace the body. As in
 * src/body/envelope.rs.
 */
const FORMS = [
  { id: "custom_id", body: "response" },
  { id: "key", body: "response" }, // Gemini
  { id: "recordId", body: "modelOutput" }, // Bedrock
];

/**
 * @param {Record<string, unknown>} line
 * @returns {{ body: string } | undefined}
 */
function formOf(line) {
  if (isObject(line.request) && isObject(line.response)) return FORMS[0]; // Vertex AI, which has no ids
  return FORMS.find(({ id, body }) => id in line && (id === "custom_id" || isObject(line[body]) || isObject(line.error)));
}

/**
 * Whether a value is a line of a batch result file, in an envelope that names the request.
 *
 * @param {unknown} value
 */
export const isEnvelope = (value) => bodyInEnvelope(value) !== undefined || namesRequest(value);

/**
 * Whether an array that begins with this item is a batch. Other arrays are streams, such as those of Gemini, whose
 * chunks look like bodies.
 *
 * @param {unknown} first
 * @param {number} count minimum number of items in the array
 */
export const isBatchArray = (first, count) => (count > 1 ? beginsBatch(first) : namesRequest(first));

/**
 * Whether a value's own fields make it a line of a batch result file, whatever its body contains.
 *
 * @param {unknown} value
 */
const namesRequest = (value) => isUntyped(value) && formOf(value) !== undefined;

/**
 * Returns the response body or the error in a line of a batch, or of a log.
 *
 * @param {unknown} value
 */
export function bodyInEnvelope(value) {
  if (!isUntyped(value)) return undefined;
  const { [formOf(value)?.body ?? "response"]: response, result } = value;
  if (isObject(response) && isObject(response.body)) return response.body;
  if (isBody(response)) return response;
  return isObject(result) ? [result.message, result.error].find(isObject) : undefined;
}

/**
 * Whether a value has no `type`, unlike the events of Responses.
 *
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
const isUntyped = (value) => isObject(value) && value.type === undefined;

/**
 * Whether several values, of which this is the first, are a batch.
 *
 * @param {unknown} first
 */
const beginsBatch = (first) => isEnvelope(first) || (isBody(first) && detectApi(first) !== "gemini");

/**
 * Whether a value is a complete answer, and not an event of a stream.
 *
 * @param {unknown} value
 */
export function isBody(value) {
  if (!isObject(value)) return false;
  const { object, done } = value;
  const isChunk = object === "chat.completion.chunk" || done === false; // Ollama's
  return !isChunk && ![isChatChunk, isGeminiChunk, isWorkersChunk].some((is) => is(value)) && detectApi(value) !== undefined;
}

/**
 * Whether a single body followed by other text, such as the output of `curl -w`, is a batch. Bodies with a message are
 * read as streams instead, where such text is a warning; embeddings and images have no streams.
 *
 * @param {unknown} body
 */
export const isBatchWithText = (body) => isBody(body) && !hasMessage(detectApi(body));

/**
 * Whether a value is a chunk of chat completions. Azure's first chunk has no choice. Perplexity's bodies have a `delta`
 * beside the `message`, like its chunks, and legacy bodies have a `text`, like their chunks; only bodies begin with a
 * finish reason.
 *
 * @param {Record<string, unknown>} value
 */
function isChatChunk({ choices }) {
  if (!Array.isArray(choices)) return false;
  const [choice] = choices;
  const { message, text, delta, finish_reason } = choice ?? {};
  if (message === undefined && text === undefined) return true;
  return (message === undefined || delta !== undefined) && !isReason(finish_reason);
}

/**
 * Whether a value is a finish reason. Some servers send a word for "none". As in src/provider/stop_word.rs.
 *
 * @param {unknown} reason
 */
const isReason = (reason) => !/^(|null|none|.*unspecified)$/i.test(String(reason ?? ""));

/**
 * Whether a value is a chunk of Workers AI: only chunks are padded with `p`, or have an empty text beside their calls.
 *
 * @param {Record<string, unknown>} value
 */
const isWorkersChunk = ({ response, p }) => response === "" || (typeof response === "string" && p !== undefined);

/**
 * Whether a value is a chunk of Gemini, which has the shape of a body but no finish reason. Code Assist wraps it.
 *
 * @param {Record<string, unknown>} value
 */
function isGeminiChunk({ response, ...value }) {
  const { candidates } = /** @type {{ candidates?: unknown }} */ (isObject(response) ? response : value);
  const isOver = (/** @type {unknown} */ candidate) =>
    isObject(candidate) && isReason(candidate.finishReason ?? candidate.finish_reason);
  return Array.isArray(candidates) && candidates.length > 0 && !candidates.some(isOver);
}
