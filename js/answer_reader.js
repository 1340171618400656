/** Reads the pieces of a source as a stream, or as the complete body of a codec. */

/** @import { Bytes, Delta, StreamPiece } from "./types/api.js" */

import { decode, detectApi } from "../pkg/wasm/respool.js";
import { Beginning } from "./beginning.js";
import { readingBody } from "./codec_bridge.js";
import { hasStream, hasStreams } from "./codecs.js";
import { RespoolError } from "./errors.js";
import { isBytes } from "./input.js";
import { MAX_BODY_BYTES } from "./limits.js";
import { PieceReader } from "./source.js";

/**
 * Pushes the pieces of a source to an accumulator. The first JSON object of a codec with `stream` is held back until it is
 * followed by another one, or by the end: on its own, it is a complete body if `decode` can read it.
 *
 * @extends {PieceReader<Delta[]>}
 */
export class AnswerReader extends PieceReader {
  #accumulator;
  #api;
  /** The pieces held back; undefined once the source is known to be a stream. @type {StreamPiece[] | undefined} */
  #held;
  #beginning = new Beginning();
  #decoder = new TextDecoder();
  #text = "";
  /** The JSON in the first line; null if it goes on in the next one. @type {unknown} */
  #line;

  /**
   * @param {{ pushBytes(bytes: Bytes): Delta[], push(chunk: object): Delta[] }} accumulator
   * @param {string | null | undefined} api the option `api`
   */
  constructor(accumulator, api) {
    super(accumulator);
    this.#accumulator = accumulator;
    this.#api = api === "auto" ? undefined : api;
    this.#held = hasStreams() ? [] : undefined;
  }

  /**
   * @override
   * @param {StreamPiece} piece
   */
  read(piece) {
    if (!this.#held) return super.read(piece);
    this.#held.push(piece);
    return this.#mayBeBody(piece, this.#held.length) ? [] : this.#release();
  }

  /**
   * Reads what was held back.
   *
   * @param {boolean} [isCut] whether the source was cut off, so that more may have followed
   */
  end(isCut = false) {
    const body = this.#text === "" ? this.#held?.[0] : parsed(this.#text);
    if (isCut || !this.#hasStream(body) || !isDecodable(body)) return this.#release();
    this.#held = undefined;
    return readingBody(() => this.#accumulator.push(/** @type {object} */ (body)));
  }

  #release() {
    const held = this.#held ?? [];
    this.#held = undefined;
    return held.flatMap((piece) => super.read(piece));
  }

  /**
   * Whether the pieces so far may be one body.
   *
   * @param {StreamPiece} piece the last one
   * @param {number} count
   */
  #mayBeBody(piece, count) {
    if (typeof piece !== "string" && !isBytes(piece)) return count === 1 && this.#hasStream(piece);
    const text = typeof piece === "string" ? piece : this.#decoder.decode(piece, { stream: true });
    this.#text += text;
    const form = this.#beginning.push(text) ?? "json";
    return form === "json" && this.#text.length <= MAX_BODY_BYTES && this.#isOneObject(text);
  }

  /**
   * Whether the text may be one JSON object, over one line or several.
   *
   * @param {string} added the end of the text, which is new
   */
  #isOneObject(added) {
    let next = added;
    if (this.#line === undefined) {
      const end = added.includes("\n") ? this.#text.trimStart().indexOf("\n") : -1;
      if (end < 0) return true;
      this.#line = parsed(this.#text.trimStart().slice(0, end)) ?? null;
      next = this.#text.trimStart().slice(end);
    }
    return this.#line === null || (next.trim() === "" && this.#hasStream(this.#line));
  }

  /**
   * Whether a codec with `stream` reads a value.
   *
   * @param {unknown} value
   */
  #hasStream(value) {
    return typeof value === "object" && value !== null && hasStream(this.#api ?? detectApi(value));
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

/**
 * @param {string} text
 * @returns {unknown}
 */
function parsed(text) {
  try {
    return JSON.parse(text.trim()); // unlike JSON.parse, this ignores a byte order mark
  } catch {
    return undefined;
  }
}
