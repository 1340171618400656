// Maps each piece of the response to the event that it came from, and back.

/** @import { Delta } from "respool" */

/**
 * A growing text: the text of a choice, or the arguments of a call.
 *
 * @typedef {object} Stream
 * @property {string} key for example `0/text`, or `0/call/1` for the second call of the first choice
 * @property {string} text
 * @property {number[]} ends length of the text after each event that added to it
 * @property {number[]} frames indices of these events
 */

/** A range of the characters of a stream. @typedef {{ key: string, start: number, end: number }} Span */

/**
 * The part of JSON arguments that an event changed: a path in the arguments of a call.
 *
 * @typedef {{ key: string, path: string }} Touched
 */

/** @param {number} choice @param {"text" | "reasoning" | "refusal"} kind */
export const keyOf = (choice, kind) => `${choice}/${kind}`;

/** @param {number} choice @param {number} call index among the calls of the choice */
export const callKey = (choice, call) => `${choice}/call/${call}`;

/** @param {(string | number)[]} path */
export const pathKey = (path) => JSON.stringify(path.map(String));

export class Provenance {
  /** @type {Map<string, Stream>} */
  #streams = new Map();
  /** The stream of the last call with each index, by choice and index. @type {Map<string, string>} */
  #calls = new Map();
  /** Number of calls of each choice. @type {Map<number, number>} */
  #counts = new Map();
  /** Index of the first event for each path, by stream and path. @type {Map<string, number>} */
  #paths = new Map();

  /** Adds the deltas of the next event. @param {number} frame @param {Delta[]} deltas */
  add(frame, deltas) {
    for (const delta of deltas) this.#add(frame, delta);
  }

  /** Returns the event that a character came from. @param {string} key @param {number} offset */
  frameAt(key, offset) {
    const stream = this.#streams.get(key);
    if (stream === undefined || stream.frames.length === 0) return undefined;
    return stream.frames[Math.min(indexAfter(stream.ends, offset), stream.frames.length - 1)];
  }

  /** Returns the event in which the value at a path of the arguments began. @param {string} key @param {string} path */
  frameOfPath(key, path) {
    return this.#paths.get(`${key} ${path}`);
  }

  /** Returns the spans that an event added. @param {number} frame @returns {Span[]} */
  spansOf(frame) {
    const spans = [];
    for (const { key, ends, frames } of this.#streams.values()) {
      let index = frames.length === 0 ? -1 : lastAtMost(frames, frame);
      if (index < 0 || frames[index] !== frame) continue;
      const end = ends[index];
      while (index > 0 && frames[index - 1] === frame) index -= 1;
      spans.push({ key, start: index === 0 ? 0 : ends[index - 1], end });
    }
    return spans;
  }

  /**
   * Finds a text in the assembled response, wherever it was split.
   *
   * @param {string} query
   * @param {number} most
   * @returns {Span[]}
   */
  search(query, most) {
    const needle = query.toLowerCase();
    /** @type {Span[]} */
    const found = [];
    if (needle === "") return found;
    for (const { key, text } of this.#streams.values()) {
      const haystack = lowerCase(text);
      for (let at = haystack.indexOf(needle); at >= 0 && found.length < most; at = haystack.indexOf(needle, at + needle.length)) {
        found.push({ key, start: at, end: at + needle.length });
      }
    }
    return found;
  }

  /** Returns the events that a span came from. @param {Span} span */
  framesOf({ key, start, end }) {
    const stream = this.#streams.get(key);
    if (stream === undefined) return [];
    const first = indexAfter(stream.ends, start);
    const last = indexAfter(stream.ends, end - 1);
    return stream.frames.slice(first, last + 1);
  }

  /** @param {number} frame @param {Delta} delta */
  #add(frame, delta) {
    switch (delta.type) {
      case "text":
      case "reasoning":
      case "refusal":
        this.#append(keyOf(delta.choice ?? 0, delta.type), frame, delta.text);
        break;
      case "tool-call-start":
        this.#start(delta.choice ?? 0, delta.index);
        break;
      case "tool-call-delta":
        this.#append(this.#callOf(delta.choice ?? 0, delta.index), frame, delta.arguments);
        break;
      case "json":
        if (typeof delta.index === "number") {
          const path = `${this.#callOf(delta.choice ?? 0, delta.index)} ${pathKey(delta.path)}`;
          if (!this.#paths.has(path)) this.#paths.set(path, frame);
        }
        break;
    }
  }

  /** @param {number} choice @param {number} index */
  #start(choice, index) {
    const count = this.#counts.get(choice) ?? 0;
    this.#counts.set(choice, count + 1);
    const key = callKey(choice, count);
    this.#calls.set(`${choice}/${index}`, key);
    return key;
  }

  /** @param {number} choice @param {number} index */
  #callOf(choice, index) {
    return this.#calls.get(`${choice}/${index}`) ?? this.#start(choice, index);
  }

  /** @param {string} key @param {number} frame @param {string} text */
  #append(key, frame, text) {
    if (text === "") return;
    let stream = this.#streams.get(key);
    if (stream === undefined) {
      stream = { key, text: "", ends: [], frames: [] };
      this.#streams.set(key, stream);
    }
    stream.text += text;
    stream.ends.push(stream.text.length);
    stream.frames.push(frame);
  }
}

/** Converts to lower case if the length stays the same: a few characters have a longer lower case. @param {string} text */
function lowerCase(text) {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** Returns the first index whose value is greater. @param {number[]} sorted @param {number} value */
function indexAfter(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the last index whose value isn't greater, or -1. @param {number[]} sorted @param {number} value */
const lastAtMost = (sorted, value) => indexAfter(sorted, value) - 1;
