// Where bytes come from: files and standard input, gunzipped where they are compressed.
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";

const READ_BYTES = 1 << 20;
/** A line or a body, whatever it was compressed to, is no longer than the module reads. In bytes. */
export const LONGEST = 1 << 27;
const GZIP = [0x1f, 0x8b];

/** An input that cannot be read: missing, not readable, broken. */
export class InputError extends Error {
  constructor(name, cause) {
    super(`${name}: ${WORDS[cause.code] ?? cause.message}`, { cause });
    this.code = cause.code;
  }
}

const WORDS = {
  ENOENT: "there is no such file",
  EISDIR: "this is a folder",
  EACCES: "it may not be read",
  Z_BUF_ERROR: "the compressed data end too early",
  Z_DATA_ERROR: "the compressed data are broken",
};

export const nameOf = (file) => (file === "-" ? "standard input" : file);

/**
 * The bytes of a file, or of standard input for `-`.
 *
 * @param {(count: number) => void} [onRead] is told how many bytes were read, before they are gunzipped
 * @returns {AsyncGenerator<Buffer>} throws {@link InputError}
 */
export async function* open(file, signal, onRead = () => {}) {
  const source = file === "-" ? process.stdin : createReadStream(file, { highWaterMark: READ_BYTES });
  const stop = () => source.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    yield* gunzipped(counted(source, onRead));
  } catch (error) {
    if (!signal.aborted) throw error.code ? new InputError(nameOf(file), error) : error;
  } finally {
    signal.removeEventListener("abort", stop);
    source.destroy();
  }
}

async function* counted(source, onRead) {
  for await (const read of source) {
    onRead(read.length);
    yield read;
  }
}

async function* gunzipped(reads) {
  const [first, all] = await peek(reads, GZIP.length);
  if (GZIP.every((byte, at) => first[at] === byte)) yield* inflate(all);
  else yield* all;
}

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

async function feed(reads, stream) {
  try {
    for await (const read of reads) {
      if (stream.destroyed) return;
      if (!stream.write(read)) await new Promise((resolve) => stream.once("drain", resolve).once("close", resolve));
    }
    stream.end();
  } catch (error) {
    stream.destroy(error);
  }
}

/**
 * Reads until there are so many bytes, or until `isEnough` of what has come.
 *
 * @returns {Promise<[Buffer, AsyncGenerator<Buffer>]>} what has come, and everything, that included
 */
export async function peek(reads, count, isEnough = () => false) {
  const iterator = reads[Symbol.asyncIterator]();
  const seen = [];
  let length = 0;
  let isOver = false;
  while (length < count && !isOver) {
    const { done, value } = await iterator.next();
    if (done) isOver = true;
    else {
      seen.push(value);
      length += value.length;
      if (isEnough(value)) break;
    }
  }
  const first = Buffer.concat(seen);
  async function* all() {
    try {
      if (first.length > 0) yield first;
      if (!isOver) yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  }
  return [first, all()];
}
