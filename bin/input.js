// Reads files and standard input, decompresses them, converts the text to UTF-8, and skips the headers of `curl -i`.
import { createReadStream } from "node:fs";
import * as zlib from "node:zlib";
import { MAX_BODY_BYTES } from "../js/limits.js";
import { toUtf8 } from "./encoding.js";
import { withoutHead } from "./head.js";
import { peek } from "./peek.js";

const READ_BYTES = 1 << 20;

/** With what only newer versions of Node have. @type {typeof zlib & { createZstdDecompress?: typeof zlib.createGunzip }} */
const { createGunzip, createZstdDecompress } = zlib;

/**
 * How compressed data begins, and what decompresses it. Nothing marks brotli.
 *
 * @type {{ name: string, start: number[], make: typeof zlib.createGunzip | undefined }[]}
 */
const COMPRESSIONS = [
  { name: "gzip", start: [0x1f, 0x8b], make: createGunzip },
  { name: "zstd", start: [0x28, 0xb5, 0x2f, 0xfd], make: createZstdDecompress },
];
const LONGEST_START = 4;

/** An input that can't be read: it is missing, not readable, or corrupt. */
export class InputError extends Error {
  /**
   * @param {string} name
   * @param {NodeJS.ErrnoException} cause
   */
  constructor(name, cause) {
    const isUrl = cause.code === "ENOENT" && /^https?:\/\//.test(name);
    super(`${name}: ${isUrl ? "is a URL: pipe the answer instead, as in curl -N … | respool" : reasonOf(cause)}`, { cause });
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

/** Why a file can't be read. @param {NodeJS.ErrnoException} error */
export const reasonOf = ({ code, message }) => MESSAGES[code ?? ""] ?? message;

const EMPTY_PIPE = "is empty: the command before it printed nothing";

/** @param {Buffer} read */
const isBlank = (read) => !read.some((byte) => byte > 0x20);

/** @param {string} file */
export const nameOf = (file) => (file === "-" ? "standard input" : file || '""');

/**
 * The text of a file, or of standard input for `-`, in UTF-8.
 *
 * @param {string} file
 * @param {AbortSignal} signal
 * @param {object} callbacks
 * @param {(count: number) => void} callbacks.onRead called with the number of bytes of each read, before decompression
 * @param {(error: InputError) => void} callbacks.onError called instead of throwing once there was text, which is then
 *   all that there is; and for a response whose HTTP status isn't a success
 * @returns {AsyncGenerator<Buffer>}
 * @throws {InputError} also at the end of an input without anything but white space
 */
export async function* open(file, signal, { onRead, onError }) {
  const name = nameOf(file);
  let isEmpty = true;
  const source = file === "-" ? process.stdin : createReadStream(file, { highWaterMark: READ_BYTES });
  const stop = () => source.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    let status = 200;
    for await (const read of withoutHead(toUtf8(decompressed(counted(source, onRead), name)), (found) => (status = found))) {
      isEmpty &&= isBlank(read);
      yield read;
    }
    if (signal.aborted) return;
    const isSuccess = status >= 200 && status < 300;
    const reason = isSuccess ? (file === "-" ? EMPTY_PIPE : "is empty") : `HTTP status ${status}`;
    if (isEmpty) throw new InputError(name, new Error(reason));
    if (!isSuccess) onError(new InputError(name, new Error(reason)));
  } catch (error) {
    const cause = /** @type {NodeJS.ErrnoException} */ (error);
    if (signal.aborted) return;
    if (!cause.code) throw error;
    const failure = new InputError(name, cause);
    if (isEmpty) throw failure;
    onError(failure);
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
      throw new InputError(name, new Error(`limit-exceeded: The body is longer than the limit of ${MAX_BODY_BYTES} bytes`));
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

/**
 * @param {AsyncIterable<Buffer>} reads
 * @param {string} name of the input
 */
async function* decompressed(reads, name) {
  const [first, all] = await peek(reads, LONGEST_START);
  const compression = COMPRESSIONS.find(({ start }) => start.every((byte, at) => first[at] === byte));
  if (compression === undefined) yield* all;
  else if (compression.make) yield* through(compression.make({ chunkSize: READ_BYTES }), all);
  else
    throw new InputError(name, new Error(`is compressed with ${compression.name}, which needs Node 22.15: decompress it first`));
}

/**
 * @param {import("node:stream").Transform} stream
 * @param {AsyncIterable<Buffer>} reads
 */
async function* through(stream, reads) {
  const feeding = feed(reads, stream);
  try {
    yield* stream;
  } catch (error) {
    const rest = stream.read(); // what was decompressed before the error
    if (rest !== null) yield rest;
    throw error;
  } finally {
    stream.destroy();
  }
  await feeding;
}

/**
 * @param {AsyncIterable<Buffer>} reads
 * @param {import("node:stream").Transform} stream
 */
async function feed(reads, stream) {
  let proceed = () => {};
  stream.once("close", () => proceed());
  try {
    for await (const read of reads) {
      if (stream.destroyed) return;
      // The text of the last read would be lost if the data then ended too early.
      await new Promise((resolve) => {
        proceed = () => resolve(undefined);
        stream.write(read, proceed);
      });
    }
    stream.end();
  } catch (error) {
    stream.destroy(/** @type {Error} */ (error));
  }
}
