// Reads files and standard input, decompresses them, converts the text to UTF-8, and skips the headers of `curl -i`.
import { createReadStream } from "node:fs";
import { MAX_BODY_BYTES } from "../js/limits.js";
import { decompressed } from "./compression.js";
import { toUtf8 } from "./encoding.js";
import { readHead } from "./head.js";
import { isFailure } from "./http_status.js";
import { InputError } from "./input_error.js";

const READ_BYTES = 1 << 20;

const EMPTY_PIPE = "is empty: the command before it printed nothing";

/** @param {Buffer} read */
const isBlank = (read) => !read.some((byte) => byte > 0x20);

/** @param {string} file */
export const nameOf = (file) => (file === "-" ? "standard input" : file || '""');

/**
 * Yields the text of a file in UTF-8; for `-`, that of standard input.
 *
 * @param {string} file
 * @param {AbortSignal} signal
 * @param {object} callbacks
 * @param {(count: number) => void} callbacks.onRead called with the number of bytes of each read, before decompression
 * @param {(status: number) => void} callbacks.onStatus called before the first read of a response with headers
 * @param {(error: InputError) => void} callbacks.onError called instead of throwing if text was already yielded,
 *   which is then cut off; and for a response whose HTTP status isn't a success
 * @returns {AsyncGenerator<Buffer>}
 * @throws {InputError} also at the end of an input that has only white space, and no HTTP status that tells why
 */
export async function* open(file, signal, { onRead, onStatus, onError }) {
  const name = nameOf(file);
  let isEmpty = true;
  const source = file === "-" ? process.stdin : createReadStream(file, { highWaterMark: READ_BYTES });
  const stop = () => source.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const { status, encoding, body } = await readHead(textOf(counted(source, onRead), name));
    if (status !== undefined) onStatus(status);
    const failure = isFailure(status) ? new InputError(name, new Error(`HTTP status ${status}`)) : undefined;
    for await (const read of status === undefined ? body : textOf(body, name, encoding)) {
      if (isEmpty && !isBlank(read)) {
        isEmpty = false;
        if (failure) onError(failure);
      }
      yield read;
    }
    if (!isEmpty || signal.aborted) return;
    if (!failure) throw new InputError(name, new Error(file === "-" ? EMPTY_PIPE : "is empty"));
    onError(failure); // the status is all there is
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
 * @param {AsyncIterable<Buffer>} reads
 * @param {string} name name of the input
 * @param {string} [encoding] content encoding from the headers
 */
const textOf = (reads, name, encoding) => toUtf8(decompressed(reads, name, encoding));

/**
 * Returns all bytes of an input that must be read as a whole.
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
