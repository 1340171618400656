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
  return updates === undefined || updates === null ? [] : [updates];
}

/** Reads one answer for the module. */
class Reader {
  #read;
  /**
   * Why the last read failed. The module asks for it by this name: see src/wasm/codec.rs.
   *
   * @type {string | undefined}
   */
  error;

  /** @param {() => (input: unknown) => Updates} open makes the function that turns a body, or each event, into updates */
  constructor(open) {
    try {
      this.#read = open();
    } catch (error) {
      this.#read = () => {
        throw error;
      };
    }
  }

  /**
   * Opens the updates as a document of the module; undefined if the codec throws.
   *
   * @param {string} json
   */
  read(json) {
    try {
      return openDocument(listOf(this.#read(JSON.parse(json))));
    } catch (error) {
      this.error = messageOf(error);
      return undefined;
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
    return new Reader(() => (this.#codec.stream ? this.#codec.stream() : (event) => this.#codec.decode(event)));
  }
}
