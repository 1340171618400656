/** @import { Codec, CodecUpdate } from "./types/api.js" */

import { registerCodec as register, unregisterCodec } from "../pkg/wasm/respool.js";
import { checked } from "./checked.js";
import { messageOf } from "./errors.js";
import { onRecovery } from "./guard.js";
import { openDocument } from "./host.js";
import { quote } from "./input.js";
import { refuse } from "./options.js";

/** @typedef {CodecUpdate | CodecUpdate[] | null | undefined} Updates what a codec returns */

/**
 * The registered codecs by name.
 *
 * @type {Map<string, { bridge: Bridge }>}
 */
const registered = new Map();

onRecovery((isNewInstance) => {
  if (isNewInstance) for (const [name, { bridge }] of registered) register(name, bridge);
});

/**
 * Updates as the list that the module reads.
 *
 * @param {Updates} updates
 */
function listOf(updates) {
  if (Array.isArray(updates)) return updates;
  return updates === undefined || updates === null ? [] : [updates];
}

/** Checks a codec and returns its name. */
const readName = checked((/** @type {Codec} */ { name, detect, decode, stream }) => {
  if (typeof name !== "string" || name === "") refuse(`a codec needs a name, not ${quote(name)}`);
  if (typeof detect !== "function") refuse(`the codec's detect must be a function, not ${quote(detect)}`);
  if (typeof decode !== "function") refuse(`the codec's decode must be a function, not ${quote(decode)}`);
  if (stream !== undefined && typeof stream !== "function") {
    refuse(`the codec's stream must be a function, not ${quote(stream)}`);
  }
  return name;
}, "the codec");

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

/** The codec as the module calls it. */
class Bridge {
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

/** @param {string} name */
export const isRegistered = (name) => registered.has(name);

/**
 * @param {Codec} codec
 * @returns {() => void}
 */
export function registerCodec(codec) {
  const name = readName(codec ?? {});
  const registration = { bridge: new Bridge(codec) };
  if (!register(name, registration.bridge)) refuse(`\`${name}\` is a reserved codec name: choose another one`);
  registered.set(name, registration);
  return () => {
    if (registered.get(name) !== registration) return; // replaced by another codec of this name
    registered.delete(name);
    unregisterCodec(name);
  };
}
