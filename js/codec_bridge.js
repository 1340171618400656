/** Adapts a codec to the calls of the module. */

/** @import { Codec, CodecUpdate } from "./types/api.js" */

import { keepFault } from "./codec_faults.js";
import { openDocument } from "./host.js";
import { describe } from "./input.js";
import { refusePromise } from "./read_option.js";

/** @typedef {CodecUpdate | CodecUpdate[] | null | undefined} Updates the result of a codec */

/**
 * Returns a codec's result. Throws if it is a promise: the module calls codecs synchronously, in the middle of a read.
 *
 * @template T
 * @param {T} value
 * @param {string} member
 * @returns {T}
 */
const requireSync = (value, member) => refusePromise(value, `it returned a promise: ${member} can't be asynchronous`);

/**
 * Converts updates to the list that the module reads.
 *
 * @param {Updates} updates
 */
function listOf(updates) {
  if (Array.isArray(updates)) return updates;
  requireSync(updates, "decode and stream");
  return updates === undefined || updates === null ? [] : [updates];
}

/** The end of a complete body. @type {CodecUpdate} */
const DONE = { type: "done" };

/**
 * @typedef {(input: unknown) => Updates} Read
 * @typedef {{ read: Read, save?: (() => unknown) | undefined }} EventReader
 */

/**
 * Normalises the result of the codec's `stream`: a function, or an object with one.
 *
 * @param {Read | EventReader} reader
 * @returns {EventReader}
 */
function asReader(reader) {
  if (typeof reader === "function") return { read: reader };
  if (typeof requireSync(reader, "stream")?.read === "function") return reader;
  throw new Error(`stream must return a function, or an object with \`read\`, not ${describe(reader)}`);
}

/** Whether a codec's `decode` reads the next stream, because that is a complete body. */
let isBody = false;

/**
 * Calls a function that passes the complete body of a codec to the module as the only event of a stream.
 *
 * @template T
 * @param {() => T} read
 */
export function readingBody(read) {
  isBody = true;
  try {
    return read();
  } finally {
    isBody = false;
  }
}

/** Reads one answer for the module. */
class Reader {
  #open;
  /**
   * Opened on first use, because it may have to continue from a saved state.
   *
   * @type {EventReader | undefined}
   */
  #reader;
  /**
   * Why the last read failed. The module reads this property: see src/wasm/codec.rs.
   *
   * @type {string | undefined}
   */
  error;

  /** @param {(saved?: unknown) => Read | EventReader} open creates the reader of a body, or of each event */
  constructor(open) {
    this.#open = open;
  }

  /** @param {unknown} [saved] */
  #opened(saved) {
    this.#reader ??= asReader(saved === undefined ? this.#open() : this.#open(saved));
    return this.#reader;
  }

  /**
   * Opens the updates as a document of the module; undefined if the codec throws.
   *
   * @param {string} json
   */
  read(json) {
    try {
      return openDocument(listOf(this.#opened().read(JSON.parse(json))));
    } catch (error) {
      this.error = keepFault(error);
      return undefined;
    }
  }

  /** Returns the codec's state as JSON: "" if nothing was read. Undefined if it can't be saved. */
  save() {
    try {
      if (!this.#reader) return "";
      return this.#reader.save && JSON.stringify(requireSync(this.#reader.save(), "save") ?? null);
    } catch {
      return undefined;
    }
  }

  /** @param {string} json */
  restore(json) {
    try {
      if (json !== "") this.#opened(JSON.parse(json));
      return true;
    } catch {
      return false;
    }
  }
}

export class Bridge {
  #codec;
  /** Why `detect` is unusable. Every read then fails with this error. @type {unknown} */
  #fault;

  /** @param {Codec} codec */
  constructor(codec) {
    this.#codec = codec;
  }

  /** @param {string} json */
  detects(json) {
    let isDetected;
    try {
      isDetected = this.#codec.detect(JSON.parse(json));
    } catch {
      return false;
    }
    try {
      return Boolean(requireSync(isDetected, "detect"));
    } catch (error) {
      this.#fault = error;
      return true;
    }
  }

  bodyReader() {
    return this.#reader(() => (body) => this.#codec.decode(body));
  }

  streamReader() {
    const body = { read: (/** @type {unknown} */ event) => [...listOf(this.#codec.decode(event)), DONE] };
    // Without `stream`, each event is decoded on its own, so there is no state.
    const stateless = { read: (/** @type {unknown} */ event) => this.#codec.decode(event), save: () => null };
    return this.#reader((saved) => {
      if (isBody) return body;
      return this.#codec.stream ? this.#codec.stream(saved) : stateless;
    });
  }

  /** @param {ConstructorParameters<typeof Reader>[0]} open */
  #reader(open) {
    return new Reader((saved) => {
      if (this.#fault) throw this.#fault;
      return open(saved);
    });
  }
}
