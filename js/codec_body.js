/** Recognises the complete body of a codec among the pieces of a source. */

/** @import { StreamPiece } from "./types/api.js" */

import { decode, detectApi } from "../pkg/wasm/respool.js";
import { Beginning } from "./beginning.js";
import { ByteParts } from "./byte_parts.js";
import { hasStream } from "./codecs.js";
import { textEncoder } from "./encoding.js";
import { RespoolError } from "./errors.js";
import { bytesOf } from "./input.js";
import { MAX_BODY_BYTES } from "./limits.js";
import { WholeText } from "./whole_text.js";

const LINE_FEED = 0x0a;
const SPACE = 0x20;

/**
 * Collects the pieces of a source as long as they may be one JSON object of a codec with `stream`, over one line or
 * several. It is a complete body if nothing follows and `decode` can read it; otherwise, it is the event of a stream.
 */
export class CodecBody {
  #api;
  /** The only piece, if it is an object. @type {object | undefined} */
  #object;
  #bytes = new ByteParts();
  #text = new WholeText();
  #beginning = new Beginning();
  /** The JSON in the first line; null if it goes on in the next one. @type {unknown} */
  #line;

  /** @param {string | undefined} api the name of the codec; undefined to detect it */
  constructor(api) {
    this.#api = api;
  }

  /**
   * Adds a piece. Returns whether the pieces so far may be one body.
   *
   * @param {StreamPiece} piece
   */
  push(piece) {
    const bytes = typeof piece === "string" ? textEncoder().encode(this.#text.next(piece)) : bytesOf(piece);
    if (bytes !== undefined) return this.#object === undefined && this.#mayBeBody(bytes);
    const isFirst = this.#object === undefined && this.#bytes.length === 0;
    this.#object = /** @type {object} */ (piece);
    return isFirst && this.#isOfCodec(piece);
  }

  /** Returns the complete body; undefined if the pieces are the events of a stream. */
  end() {
    const body = this.#object ?? this.#parsed();
    return this.#isOfCodec(body) && isDecodable(body) ? /** @type {object} */ (body) : undefined;
  }

  /** @param {Uint8Array} added */
  #mayBeBody(added) {
    const offset = this.#bytes.length;
    this.#bytes.push(added);
    const form = this.#beginning.push(added) ?? "json";
    return form === "json" && this.#bytes.length <= MAX_BODY_BYTES && this.#isOneObject(added, offset);
  }

  /**
   * @param {Uint8Array} added the end of the bytes, which is new
   * @param {number} offset where it begins
   */
  #isOneObject(added, offset) {
    let next = added;
    if (this.#line === undefined) {
      const end = added.indexOf(LINE_FEED, Math.max(this.#beginning.start - offset, 0));
      if (end < 0) return true;
      this.#line = this.#parsed(offset + end) ?? null;
      next = added.subarray(end);
    }
    return this.#line === null || (next.every((byte) => byte <= SPACE) && this.#isOfCodec(this.#line));
  }

  /** @param {unknown} value */
  #isOfCodec(value) {
    return typeof value === "object" && value !== null && hasStream(this.#api ?? detectApi(value));
  }

  /**
   * Parses the bytes before an offset.
   *
   * @param {number} [end]
   * @returns {unknown} undefined unless they are JSON
   */
  #parsed(end) {
    try {
      return JSON.parse(this.#bytes.text(end));
    } catch {
      return undefined;
    }
  }
}

/**
 * Whether a codec's `decode` can read a value, which otherwise is the only event of a stream.
 *
 * @param {unknown} body
 */
function isDecodable(body) {
  try {
    decode(body);
    return true;
  } catch (error) {
    return RespoolError.isInstance(error) && error.code === "provider-error";
  }
}
