// Decompresses inputs.
import * as zlib from "node:zlib";
import { withoutStart } from "./encoding.js";
import { InputError, isCorrupt } from "./input_error.js";
import { peek } from "./peek.js";

/** @typedef {() => import("node:stream").Transform} Make */

const OUTPUT_BYTES = 1 << 20;
/** Maximum size of one write in bytes. If the data is corrupt, the last write is decompressed twice. */
const PIECE_BYTES = 1 << 16;
/** Maximum number of compressed bytes to keep for the case that the data is corrupt. */
const MAX_KEPT_BYTES = 1 << 24;

/**
 * The functions, including one that only newer versions of Node have.
 *
 * @type {typeof zlib & { createZstdDecompress?: typeof zlib.createGunzip }}
 */
const { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } = zlib;

/**
 * The decompressors, and how their data begins. Data without a signature is recognised by its `Content-Encoding`.
 *
 * @type {{ name: string, start?: number[], make: typeof zlib.createGunzip | undefined }[]}
 */
const COMPRESSIONS = [
  { name: "gzip", start: [0x1f, 0x8b], make: createGunzip },
  { name: "zstd", start: [0x28, 0xb5, 0x2f, 0xfd], make: createZstdDecompress },
  { name: "deflate", make: createInflate },
  { name: "br", make: createBrotliDecompress },
];
const LONGEST_START = 4;
/** Number of bytes after which compressed data is hardly ever valid text. */
const TEXT_SAMPLE_BYTES = 16;

/**
 * @param {AsyncIterable<Buffer>} reads
 * @param {string} name of the input
 * @param {string} [encoding] content encoding from the headers
 * @throws {InputError} if this version of Node can't decompress it
 */
export async function* decompressed(reads, name, encoding) {
  const [first, all] = await peek(reads, encoding === undefined ? LONGEST_START : TEXT_SAMPLE_BYTES);
  const compression = COMPRESSIONS.find((known) =>
    known.start ? known.start.every((byte, at) => first[at] === byte) : known.name === encoding && !isText(first),
  );
  if (compression === undefined) return yield* all;
  const { make } = compression;
  if (!make)
    throw new InputError(name, new Error(`is compressed with ${compression.name}, which needs Node 22.15: decompress it first`));
  yield* throughPieces(() => make({ chunkSize: OUTPUT_BYTES }), all);
}

/**
 * Whether a body is text: with `--compressed`, curl decompresses the body but prints the original headers.
 *
 * @param {Buffer} bytes beginning of the body, which may end inside a character
 */
function isText(bytes) {
  try {
    return !/[^\P{Cc}\t\n\r]/u.test(new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true }));
  } catch {
    return false;
  }
}

/**
 * Yields everything before an error. Node drops the output of the write that fails, so that piece is then written byte
 * by byte.
 *
 * @param {Make} make
 * @param {AsyncIterable<Buffer>} reads
 */
async function* throughPieces(make, reads) {
  const kept = new KeptPieces(reads);
  let length = 0;
  try {
    for await (const text of through(make(), kept.pieces())) {
      length += text.length;
      yield text;
    }
  } catch (error) {
    if (isCorrupt(/** @type {NodeJS.ErrnoException} */ (error)))
      yield* untilError(withoutStart(through(make(), kept.again()), length));
    throw error;
  }
}

/** @param {AsyncIterable<Buffer>} reads */
async function* untilError(reads) {
  try {
    yield* reads;
  } catch {
    // The error was already thrown.
  }
}

/** Splits the reads into small pieces, and keeps these unless they are too long in total. */
class KeptPieces {
  #reads;
  /** @type {Buffer[]} */
  #kept = [];
  #length = 0;

  /** @param {AsyncIterable<Buffer>} reads */
  constructor(reads) {
    this.#reads = reads;
  }

  async *pieces() {
    for await (const read of this.#reads) {
      for (let at = 0; at < read.length; at += PIECE_BYTES) {
        const piece = read.subarray(at, at + PIECE_BYTES);
        this.#keep(piece);
        yield piece;
      }
    }
  }

  /** @param {Buffer} piece */
  #keep(piece) {
    this.#length += piece.length;
    if (this.#length > MAX_KEPT_BYTES) this.#kept = [];
    else this.#kept.push(piece);
  }

  /** Yields the pieces so far, the last one as single bytes; nothing if they were too long. */
  async *again() {
    const last = this.#kept.pop() ?? Buffer.of();
    yield* this.#kept;
    for (let at = 0; at < last.length; at++) yield last.subarray(at, at + 1);
  }
}

/**
 * @param {import("node:stream").Transform} stream
 * @param {AsyncIterable<Buffer>} reads
 * @returns {AsyncGenerator<Buffer>}
 */
async function* through(stream, reads) {
  const feeding = feed(reads, stream);
  try {
    yield* stream;
  } catch (error) {
    const rest = stream.read(); // the output before the error
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
      // If writes weren't awaited, the output of the last one would be lost if the data then ended too early.
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
