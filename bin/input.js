// Reads files and standard input, decompresses gzip, and converts the text to UTF-8.
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { MAX_BODY_BYTES } from "../js/limits.js";
import { toUtf8 } from "./encoding.js";
import { peek } from "./peek.js";

const READ_BYTES = 1 << 20;
const GZIP = [0x1f, 0x8b];

/** An input that can't be read: it is missing, not readable, or corrupt. */
export class InputError extends Error {
  /**
   * @param {string} name
   * @param {NodeJS.ErrnoException} cause
   */
  constructor(name, cause) {
    super(`${name}: ${MESSAGES[cause.code ?? ""] ?? cause.message}`, { cause });
    this.code = cause.code;
  }
}

/** @type {Record<string, string>} */
const MESSAGES = {
  ENOENT: "no such file",
  EISDIR: "is a folder, not a file",
  EACCES: "permission denied",
  Z_BUF_ERROR: "the compressed data is cut off",
  Z_DATA_ERROR: "the compressed data is corrupt",
};

const EMPTY_PIPE = "is empty: the command before it printed nothing";

/** @param {Buffer} read */
const isBlank = (read) => !read.some((byte) => byte > 0x20);

/** @param {string} file */
export const nameOf = (file) => (file === "-" ? "standard input" : file);

/**
 * The text of a file, or of standard input for `-`, in UTF-8.
 *
 * @param {string} file
 * @param {AbortSignal} signal
 * @param {(count: number) => void} [onRead] called with the number of bytes of each read, before decompression
 * @returns {AsyncGenerator<Buffer>}
 * @throws {InputError} also at the end of an input without anything but white space
 */
export async function* open(file, signal, onRead = () => {}) {
  const source = file === "-" ? process.stdin : createReadStream(file, { highWaterMark: READ_BYTES });
  const stop = () => source.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    let isEmpty = true;
    for await (const read of toUtf8(gunzipped(counted(source, onRead)))) {
      isEmpty &&= isBlank(read);
      yield read;
    }
    if (isEmpty && !signal.aborted) throw new InputError(nameOf(file), new Error(file === "-" ? EMPTY_PIPE : "is empty"));
  } catch (error) {
    const cause = /** @type {NodeJS.ErrnoException} */ (error);
    if (!signal.aborted) throw cause.code ? new InputError(nameOf(file), cause) : error;
  } finally {
    signal.removeEventListener("abort", stop);
    source.destroy();
  }
}

/**
 * All bytes of an input that has to be read as a whole.
 *
 * @param {AsyncIterable<Buffer> | Iterable<Buffer>} reads
 * @param {string} name
 * @throws {InputError} if there are too many
 */
export async function readAll(reads, name) {
  const parts = [];
  let length = 0;
  for await (const read of reads) {
    length += read.length;
    if (length > MAX_BODY_BYTES)
      throw new InputError(name, new Error(`limit-exceeded: the body is longer than the limit of ${MAX_BODY_BYTES} bytes`));
    parts.push(read);
  }
  return Buffer.concat(parts);
}

/**
 * @param {AsyncIterable<Buffer>} source
 * @param {(count: number) => void} onRead
 */
async function* counted(source, onRead) {
  for await (const read of source) {
    onRead(read.length);
    yield read;
  }
}

/** @param {AsyncIterable<Buffer>} reads */
async function* gunzipped(reads) {
  const [first, all] = await peek(reads, GZIP.length);
  if (GZIP.every((byte, at) => first[at] === byte)) yield* inflate(all);
  else yield* all;
}

/** @param {AsyncIterable<Buffer>} reads */
async function* inflate(reads) {
  const gunzip = createGunzip({ chunkSize: READ_BYTES });
  const feeding = feed(reads, gunzip);
  try {
    yield* gunzip;
  } finally {
    gunzip.destroy();
  }
  await feeding;
}

/**
 * @param {AsyncIterable<Buffer>} reads
 * @param {import("node:zlib").Gunzip} stream
 */
async function feed(reads, stream) {
  try {
    for await (const read of reads) {
      if (stream.destroyed) return;
      if (!stream.write(read)) await new Promise((resolve) => stream.once("drain", resolve).once("close", resolve));
    }
    stream.end();
  } catch (error) {
    stream.destroy(/** @type {Error} */ (error));
  }
}
