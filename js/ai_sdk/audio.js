/** @import { ContentPart } from "../types/api.js" */

import { audioFile, mediaTypeOf } from "../files.js";

/** The audio of an answer, which arrives in pieces. */
export class Audio {
  /** The pieces in base64. @type {string[]} */
  #pieces = [];
  /** The media type, if the provider sends it. @type {string | undefined} */
  #mediaType;

  /** @param {Extract<ContentPart, { type: "audio" }>} part */
  add({ base64, raw }) {
    if (!base64) return;
    this.#pieces.push(base64);
    this.#mediaType ??= mediaTypeOf(raw);
  }

  /** Drops the pieces: part of a file can't be played. */
  drop() {
    this.#pieces = [];
    this.#mediaType = undefined;
  }

  /** Returns all pieces as a file; undefined if there are none. Throws if they aren't valid base64. */
  take() {
    const pieces = this.#pieces;
    const mediaType = this.#mediaType;
    this.drop();
    return pieces.length === 0 ? undefined : audioFile(pieces, mediaType);
  }
}
