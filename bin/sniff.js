// Detects whether an input is a stream, a complete body, or a batch result file, and reads as little as possible for it.
import { detectApi } from "respool";
import { isBatchArray, isBatchWithText, isBody, isEnvelope } from "../js/batch_lines.js";
import { Beginning } from "../js/beginning.js";
import { ItemLines } from "../js/item_lines.js";
import { MAX_BODY_BYTES } from "../js/limits.js";
import { peek } from "./peek.js";

const LINE_FEED = 10;
const OBJECT_LINE = /^[ \t]*\{/m;

/** A line of an event stream. */
const EVENT_LINE = /^(?:data|event):/m;

/**
 * @typedef {object} Input
 * @property {"stream" | "body" | "batch"} form
 * @property {AsyncIterable<Buffer>} reads
 * @property {boolean} [hasText] whether it is a body with text behind it, such as that of `curl -w`, which is read as a stream
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
  // A single body or error is a body, several bodies are a batch. What begins with an error is a stream.
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
 * Several complete bodies in an array are a batch.
 *
 * @param {AsyncIterable<Buffer>} reads
 * @returns {Promise<{ form: "stream" | "batch", reads: AsyncIterable<Buffer> }>}
 */
async function sniffArray(reads) {
  const { first, count, all } = await peekItem(reads, "array");
  return isBatchArray(first, count) ? { form: "batch", reads: itemLines(all, "array") } : { form: "stream", reads: all };
}

/**
 * What begins with an object that isn't on a line of its own: a body over several lines, or several bodies.
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
 * A body without the text behind it.
 *
 * @param {Buffer} bytes
 */
export const withoutText = (bytes) => firstLine(contentOf(Buffer.from(new ItemLines("sequence").push(bytes))));

/**
 * The lines of a batch. An array has its items on a line each, unless each line is an array of Gemini's chunks.
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
 * The reads of a body; undefined if there are several bodies.
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
 * Reads the first item of an array or a sequence, up to where the next begins.
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
 * The items of an array or a sequence, on a line each.
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
 * Tells when enough was read: a whole line of JSON, or the beginning of something else.
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
 * Tells when something other than white space follows after `start` bytes.
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
 * Tells when a line after `start` bytes begins with an object, unless the line is cut just there.
 *
 * @param {number} start
 * @returns {(read: Buffer) => boolean}
 */
function hasObject(start) {
  let skipped = start - 1; // the line feed before it
  return (read) => {
    const rest = read.subarray(skipped);
    skipped = Math.max(0, skipped - read.length);
    return /\n[ \t]*\{/.test(rest.toString("latin1"));
  };
}

/**
 * The text without leading white space.
 *
 * @param {Buffer} bytes
 */
const contentOf = (bytes) => bytes.toString("utf8").trimStart();

/** @param {string} text */
const firstLine = (text) => text.split("\n", 1)[0] ?? "";

/**
 * The end of the line that begins at `start`, with its line feed.
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
 * Whether a value is what a provider answers to a request that fails.
 *
 * @param {unknown} value
 */
const isError = (value) => isObject(value) && detectApi(value) === undefined && value.error != null;
