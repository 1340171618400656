/** @import { ContentPart } from "../types/api.js" */

import { audioFile, mediaTypeOf } from "../files.js";

/** The audio of an answer, which comes in pieces. */
export class Audio {
  /** In base64. @type {string[]} */
  #pieces = [];
  /** If the provider gives it. @type {string | undefined} */
  #mediaType;

  /** @param {Extract<ContentPart, { type: "audio" }>} part */
  add({ base64, raw }) {
    if (!base64) return;
    this.#pieces.push(base64);
    this.#mediaType ??= mediaTypeOf(raw);
  }

  /** Half of a file can't be played. */
  drop() {
    this.#pieces = [];
    this.#mediaType = undefined;
  }

  /** All pieces as a file; undefined without any. Throws if they aren't valid base64. */
  take() {
    const pieces = this.#pieces;
    const mediaType = this.#mediaType;
    this.drop();
    return pieces.length === 0 ? undefined : audioFile(pieces, mediaType);
  }
}
