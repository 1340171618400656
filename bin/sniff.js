// What an input is: a stream, a whole body, or a batch result file. As little as possible is read before it is known.
import { detectApi } from "respool";
import { LONGEST, peek } from "./input.js";

const LINE_FEED = 10;

/**
 * @param {AsyncIterable<Buffer>} reads
 * @returns {Promise<{ format: "stream" | "body" | "batch", reads: AsyncIterable<Buffer> }>}
 */
export async function sniff(reads) {
  const [start, all] = await peek(reads, LONGEST, startsLine());
  const text = withoutMark(start);
  const first = text[0];
  if (first !== "{" && first !== "[") return { format: "stream", reads: all };
  const [line, after] = cutAtLineEnd(text);
  const value = parse(line);
  if (isEnvelope(value)) return { format: "batch", reads: all };
  if (value === undefined) return { format: "body", reads: all };
  if (!isBody(value)) return { format: "stream", reads: all };
  // One body by itself is a body, several are a batch.
  if (after.trim() !== "") return { format: "batch", reads: all };
  const [more, whole] = await peek(all, LONGEST, hasMore(start.length));
  return { format: withoutMark(more.subarray(start.length)) === "" ? "body" : "batch", reads: whole };
}

/** Whether what has come says enough: a whole line, or that it begins otherwise than JSON does. */
function startsLine() {
  let isJson = false;
  return (read) => {
    if (!isJson) {
      const text = withoutMark(read);
      if (text === "") return false;
      isJson = text[0] === "{" || text[0] === "[";
      return !isJson || text.includes("\n");
    }
    return read.includes(LINE_FEED);
  };
}

/** Whether there is something behind so many bytes. */
function hasMore(skipped) {
  return (read) => {
    const rest = read.subarray(skipped);
    skipped = Math.max(0, skipped - read.length);
    return rest.some((byte) => byte > 0x20);
  };
}

const withoutMark = (bytes) =>
  bytes
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart();

function cutAtLineEnd(text) {
  const end = text.indexOf("\n");
  return end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end + 1)];
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether this is a line of a batch result file that has a body, or an error, inside. */
function isEnvelope(value) {
  if (!isObject(value)) return false;
  const { type, response, result } = value;
  if (type !== undefined) return false; // an event of Responses
  const hasResponse = isObject(response) && (isObject(response.body) || isBody(response));
  const hasResult = isObject(result) && (isObject(result.message) || isObject(result.error));
  return "custom_id" in value || hasResponse || hasResult;
}

/** Whether this is a whole answer and not an event of a stream. */
function isBody(value) {
  const [choice] = Array.isArray(value?.choices) ? value.choices : [];
  const isChunk = choice !== undefined && (choice.delta !== undefined || choice.message === undefined);
  return isObject(value) && !isChunk && value.object !== "chat.completion.chunk" && detectApi(value) !== undefined;
}
