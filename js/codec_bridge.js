/** A codec as the module calls it. */

/** @import { Codec, CodecUpdate } from "./types/api.js" */

import { messageOf } from "./errors.js";
import { openDocument } from "./host.js";

/** @typedef {CodecUpdate | CodecUpdate[] | null | undefined} Updates what a codec returns */

/**
 * Updates as the list that the module reads.
 *
 * @param {Updates} updates
 */
function listOf(updates) {
  if (Array.isArray(updates)) return updates;
  const { then } = /** @type {{ then?: unknown }} */ (updates ?? {});
  if (typeof then === "function") {
    Promise.resolve(updates).catch(() => {}); // nobody waits for it
    throw new Error("it returned a promise: decode and stream can't be asynchronous");
  }
  return updates === undefined || updates === null ? [] : [updates];
}

/**
 * @typedef {(input: unknown) => Updates} Read
 * @typedef {{ read: Read, save?: (() => unknown) | undefined }} EventReader
 */

/**
 * What the codec's stream returned: a function, or an object with one.
 *
 * @param {Read | EventReader} reader
 * @returns {EventReader}
 */
const asReader = (reader) => (typeof reader === "function" ? { read: reader } : reader);

/** Reads one answer for the module. */
class Reader {
  #open;
  /**
   * Opened when it is first needed: it may have to go on where another one was.
   *
   * @type {EventReader | undefined}
   */
  #reader;
  /**
   * Why the last read failed. The module asks for it by this name: see src/wasm/codec.rs.
   *
   * @type {string | undefined}
   */
  error;

  /** @param {(saved?: unknown) => Read | EventReader} open makes what turns a body, or each event, into updates */
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
      this.error = messageOf(error);
      return undefined;
    }
  }

  /** What the codec remembers, as JSON: "" for nothing. Undefined if it can't be saved. */
  save() {
    try {
      if (!this.#reader) return "";
      return this.#reader.save && JSON.stringify(this.#reader.save() ?? null);
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

  /** @param {Codec} codec */
  constructor(codec) {
    this.#codec = codec;
  }

  /** @param {string} json */
  detects(json) {
    try {
      return Boolean(this.#codec.detect(JSON.parse(json)));
    } catch {
      return false;
    }
  }

  bodyReader() {
    return new Reader(() => (body) => this.#codec.decode(body));
  }

  streamReader() {
    // Without a stream of its own it remembers nothing.
    const stateless = { read: (/** @type {unknown} */ event) => this.#codec.decode(event), save: () => null };
    return new Reader((saved) => (this.#codec.stream ? this.#codec.stream(saved) : stateless));
  }
}
