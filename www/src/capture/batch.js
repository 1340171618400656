// Batch result files: JSON lines that each have the body of an answer.
import { detectApi } from "respool";

const encoder = new TextEncoder();

/** Its lines; undefined where this is no batch. @returns {import("./capture.js").Entry[] | undefined} */
export function entriesOfBatch(text, whole) {
  const lines = text.split("\n");
  const first = whole ?? parse(lines[0]);
  const isBatch = bodyOf(first) !== undefined || (whole === undefined && isBody(first));
  if (!isBatch) return undefined;
  const texts = whole === undefined ? lines : [text];
  return texts.flatMap((line, at) => (line.trim() === "" ? [] : [entryOf(line, at + 1)]));
}

function entryOf(line, number) {
  // Of a large file only the lines that are looked at are read.
  const id = line.match(/"custom_id"\s*:\s*"((?:[^"\\]|\\.)*)"/)?.[1];
  return {
    name: id === undefined ? `line ${number}` : `line ${number} · ${id}`,
    get reads() {
      const body = bodyOf(parse(line));
      return [{ bytes: encoder.encode(body === undefined ? line : JSON.stringify(body)) }];
    },
  };
}

/** The body inside a line of OpenAI's, Anthropic's, or of a log. */
function bodyOf(line) {
  if (typeof line?.type === "string") return undefined;
  const { response, result } = line ?? {};
  if (isObject(response?.body)) return response.body;
  if (isObject(response) && isBody(response)) return response;
  if (isObject(result?.message)) return result.message;
  if (isObject(result?.error)) return result.error;
  return undefined;
}

function isBody(value) {
  const [choice] = Array.isArray(value?.choices) ? value.choices : [];
  const isChunk = choice !== undefined && (choice.delta !== undefined || choice.message === undefined);
  return isObject(value) && !isChunk && value.object !== "chat.completion.chunk" && detectApi(value) !== undefined;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
