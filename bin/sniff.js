// Detects whether an input is a stream, a complete body, or a batch result file, reading as little as possible.
import { detectApi } from "respool";
import { isBatchArray, isBatchWithText, isBody, isEnvelope } from "../js/batch_lines.js";
import { Beginning } from "../js/beginning.js";
import { ItemLines } from "../js/item_lines.js";
import { MAX_BODY_BYTES } from "../js/limits.js";
import { peek } from "./peek.js";

const LINE_FEED = 10;
const OBJECT_LINE = /^[ \t]*\{/m;

/** Matches a line of an event stream. */
const EVENT_LINE = /^(?:data|event):/m;

/**
 * @typedef {object} Input
 * @property {"stream" | "body" | "batch"} form
 * @property {AsyncIterable<Buffer>} reads
 * @property {boolean} [hasText] whether a body is followed by text, such as that of `curl -w`, and is read as a stream
 */

/**
 * @param {AsyncIterable<Buffer>} reads
 * @returns {Promise<Input>}
 */
export async function sniff(reads) {
  const beginning = new Beginning();
  const [start, all] = await peek(reads, MAX_BODY_BYTES, hasLine(beginning));
  if (beginning.form === "array") return sniffArray(all);
  if (beginning.form !== "json") return { form: "stream", reads: all };
  const value = parse(firstLine(contentOf(start)));
  if (isEnvelope(value)) return { form: "batch", reads: all };
  if (value === undefined) return sniffSequence(all);
  if (!isBody(value) && !isError(value)) return { form: "stream", reads: all };
  // A single body or error is a body, and several bodies are a batch. An input that begins with an error but continues
  // is a stream.
  const end = lineEnd(start, beginning.start);
  const [more, whole] = await peek(all, MAX_BODY_BYTES, isBody(value) ? hasObject(end) : hasMore(end));
  const rest = contentOf(more.subarray(end));
  if (rest === "") return { form: "body", reads: whole };
  const isBatch = isBatchWithText(value) || (isBody(value) && OBJECT_LINE.test(rest));
  return isBatch
    ? { form: "batch", reads: whole }
    : { form: "stream", reads: whole, hasText: isBody(value) && !EVENT_LINE.test(rest) };
}

/**
 * Detects the form of an array. Several complete bodies in it are a batch.
 *
 * @param {AsyncIterable<Buffer>} reads
 * @returns {Promise<{ form: "stream" | "batch", reads: AsyncIterable<Buffer> }>}
 */
async function sniffArray(reads) {
  const { first, count, all } = await peekItem(reads, "array");
  return isBatchArray(first, count) ? { form: "batch", reads: itemLines(all, "array") } : { form: "stream", reads: all };
}

/**
 * Detects the form of an input whose first line isn't a complete object: a body over several lines, or several bodies.
 *
 * @param {AsyncIterable<Buffer>} reads
 * @returns {Promise<Input>}
 */
async function sniffSequence(reads) {
  const { first, rest, count, hasText, all } = await peekItem(reads, "sequence");
  const isMany = count > 1 ? isEnvelope(first) || isBody(first) : isBatchArray(first, count);
  if (isMany || (hasText && isBatchWithText(first))) return { form: "batch", reads: itemLines(all, "sequence") };
  return hasText && isBody(first)
    ? { form: "stream", reads: all, hasText: !EVENT_LINE.test(rest) }
    : { form: "body", reads: all };
}

/**
 * Returns a body without the text after it.
 *
 * @param {Buffer} bytes
 */
export const withoutText = (bytes) => firstLine(contentOf(Buffer.from(new ItemLines("sequence").push(bytes))));

/**
 * Returns the lines of a batch. The items of an array are split into lines, unless the lines are arrays of Gemini's
 * chunks.
 *
 * @param {AsyncIterable<Buffer>} reads
 * @returns {Promise<AsyncIterable<Buffer>>}
 */
export async function batchLines(reads) {
  const beginning = new Beginning();
  const [start, opened] = await peek(reads, MAX_BODY_BYTES, hasLine(beginning));
  if (beginning.form === "json" && parse(firstLine(contentOf(start))) === undefined) {
    const { first, all } = await peekItem(opened, "sequence");
    return first === undefined ? all : itemLines(all, "sequence");
  }
  if (beginning.form !== "array") return opened;
  const { first, all } = await peekItem(opened, "array");
  return isEnvelope(first) || detectApi(first) !== "gemini" ? itemLines(all, "array") : all;
}

/**
 * Returns the reads of a body; undefined if there are several bodies.
 *
 * @param {AsyncIterable<Buffer>} reads
 */
export async function singleBody(reads) {
  const beginning = new Beginning();
  const [, opened] = await peek(reads, MAX_BODY_BYTES, hasLine(beginning));
  if (beginning.form === "array") {
    const { first, count, all } = await peekItem(opened, "array");
    return count > 1 && isBatchArray(first, count) ? undefined : all;
  }
  if (beginning.form !== "json") return opened;
  const { first, count, all } = await peekItem(opened, "sequence");
  return count > 1 && (isEnvelope(first) || isBody(first)) ? undefined : all;
}

/**
 * Reads the first item of an array or a sequence, up to the start of the next item.
 *
 * @param {AsyncIterable<Buffer>} reads
 * @param {"array" | "sequence"} form
 */
async function peekItem(reads, form) {
  const items = new ItemLines(form);
  /** @type {Uint8Array[]} */
  const parts = [];
  const [, all] = await peek(reads, MAX_BODY_BYTES, (read) => {
    parts.push(items.push(read));
    return items.count > 1 || items.isOver;
  });
  const lines = contentOf(Buffer.concat(parts));
  const line = firstLine(lines);
  const rest = lines.slice(line.length);
  return { first: parse(line), rest, count: items.count, hasText: items.hasText, all };
}

/**
 * Yields the items of an array or a sequence, one per line.
 *
 * @param {AsyncIterable<Uint8Array>} reads
 * @param {"array" | "sequence"} form
 * @returns {AsyncGenerator<Buffer>}
 */
async function* itemLines(reads, form) {
  const lines = new ItemLines(form);
  for await (const read of reads) yield Buffer.from(lines.push(read));
}

/**
 * Returns a predicate that is true once enough was read: a whole line of JSON, or the beginning of another form.
 *
 * @param {Beginning} beginning
 * @returns {(read: Buffer) => boolean}
 */
function hasLine(beginning) {
  return (read) => {
    if (beginning.form === "json") return read.includes(LINE_FEED);
    const form = beginning.push(read);
    return form === "json" ? contentOf(read).includes("\n") : form !== undefined;
  };
}

/**
 * Returns a predicate that is true once anything but white space follows after `start` bytes.
 *
 * @param {number} start
 * @returns {(read: Buffer) => boolean}
 */
function hasMore(start) {
  let skipped = start;
  return (read) => {
    const rest = read.subarray(skipped);
    skipped = Math.max(0, skipped - read.length);
    return rest.some((byte) => byte > 0x20);
  };
}

/**
 * Returns a predicate that is true once a line after `start` bytes begins with an object. It misses a line whose start
 * is split between two reads.
 *
 * @param {number} start
 * @returns {(read: Buffer) => boolean}
 */
function hasObject(start) {
  let skipped = start - 1; // the preceding line feed
  return (read) => {
    const rest = read.subarray(skipped);
    skipped = Math.max(0, skipped - read.length);
    return /\n[ \t]*\{/.test(rest.toString("latin1"));
  };
}

/**
 * Returns the text without leading white space.
 *
 * @param {Buffer} bytes
 */
const contentOf = (bytes) => bytes.toString("utf8").trimStart();

/** @param {string} text */
const firstLine = (text) => text.split("\n", 1)[0] ?? "";

/**
 * Returns the end offset of the line that begins at `start`, including its line feed.
 *
 * @param {Buffer} bytes
 * @param {number} start
 */
const lineEnd = (bytes, start) => bytes.indexOf(LINE_FEED, start) + 1 || bytes.length;

/**
 * @param {string} line
 * @returns {unknown}
 */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Whether a value is a provider's error body.
 *
 * @param {unknown} value
 */
const isError = (value) => isObject(value) && detectApi(value) === undefined && value.error != null;
