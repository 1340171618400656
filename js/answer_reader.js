/** Reads the pieces of a source as a stream, or as the complete body of a codec. */

/** @import { Bytes, Delta, StreamPiece } from "./types/api.js" */

import { CodecBody } from "./codec_body.js";
import { readingBody } from "./codec_bridge.js";
import { hasStream, hasStreams } from "./codecs.js";
import { PieceReader } from "./source.js";

/**
 * Pushes the pieces of a source to an accumulator. Pieces that may be the complete body of a codec with `stream` are held
 * back until more follows, or until the end.
 *
 * @extends {PieceReader<Delta[]>}
 */
export class AnswerReader extends PieceReader {
  #accumulator;
  /** Undefined once the source is known to be a stream. @type {CodecBody | undefined} */
  #body;
  /** @type {StreamPiece[]} */
  #held = [];

  /**
   * @param {{ pushBytes(bytes: Bytes): Delta[], push(chunk: object): Delta[] }} accumulator
   * @param {string | null | undefined} api the option `api`
   */
  constructor(accumulator, api) {
    super(accumulator);
    this.#accumulator = accumulator;
    const codec = api === null || api === "auto" ? undefined : api;
    const mayHaveBody = codec === undefined ? hasStreams() : hasStream(codec);
    this.#body = mayHaveBody ? new CodecBody(codec) : undefined;
  }

  /**
   * @override
   * @param {StreamPiece} piece
   */
  read(piece) {
    if (!this.#body) return super.read(piece);
    this.#held.push(piece);
    return this.#body.push(piece) ? [] : this.#release();
  }

  /**
   * Reads what was held back.
   *
   * @param {boolean} [isCut] whether the source was cut off, so that more may have followed
   */
  end(isCut = false) {
    const body = isCut ? undefined : this.#body?.end();
    if (body === undefined) return this.#release();
    this.#body = undefined;
    return readingBody(() => this.#accumulator.push(body));
  }

  #release() {
    const held = this.#held;
    this.#held = [];
    this.#body = undefined;
    return held.flatMap((piece) => super.read(piece));
  }
}
