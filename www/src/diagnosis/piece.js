// The pieces of a sentence in the verdict. A piece may link to an event, and to bytes in it.

/** @import { Range } from "../capture/frame-cutter.js" */
/** @import { Recording } from "../session/recording.js" */

/**
 * @typedef {object} Piece
 * @property {string} text
 * @property {string} [code] follows the text, as code
 * @property {number} [frame] index of the event that the piece links to
 * @property {Range} [bytes] range of the relevant bytes in the whole input
 */

/** @typedef {Piece[]} Sentence */

/** @param {string} value @returns {Piece} */
export const code = (value) => ({ text: "", code: value });

/** @param {string} text @param {number} frame @param {Range} [bytes] @returns {Piece} */
export const link = (text, frame, bytes) => ({ text, frame, ...(bytes && { bytes }) });

/** Builds a sentence from words and pieces. @param {(string | Piece)[]} parts @returns {Sentence} */
export const sentence = (...parts) => parts.map((part) => (typeof part === "string" ? { text: part } : part));

/** Returns the sentence as plain text. @param {Sentence} pieces */
export const plainText = (pieces) => pieces.map(({ text, code: value }) => text + (value ?? "")).join("");

/** @param {number} milliseconds */
export function formatTime(milliseconds) {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return milliseconds < 120_000 ? `${(milliseconds / 1000).toFixed(2)} s` : `${(milliseconds / 60_000).toFixed(1)} min`;
}

/** @param {number} number @param {string} noun */
export const countOf = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

/** @param {string} text @param {number} most */
export const clip = (text, most) => (text.length > most ? `${text.slice(0, most)}…` : text);

/**
 * Returns the range of a frame's last bytes, before the line breaks that end it.
 *
 * @param {Recording} recording
 * @param {number} index
 */
export function tailOf(recording, index) {
  const { start, end } = recording.frames[index];
  const bytes = recording.bytesOf({ start, end });
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] <= 0x20) length -= 1;
  return { start: start + Math.max(length - 8, 0), end: start + length };
}
