/** @import { StreamAccumulatorOptions } from "respool" */
/** @import { Bytes, RequestDelta, Warning } from "../types/api.js" */
/** @import { EncodeOptions, EncoderOptions, StreamEncoder as PublicEncoder, WireApi } from "../types/encode.js" */

import { Encoder } from "../../pkg/wasm/respool.js";
import { checked } from "../checked.js";
import { messageOf, RespoolError } from "../errors.js";
import { Handle, makeDisposable, makeInspectable } from "../handle.js";
import { throughInbox } from "../inbox.js";
import { quote } from "../input.js";
import { isDelta } from "../known_deltas.js";
import { readStreamOptions, refuseOthers, setOptions, STREAM_OPTIONS } from "../options.js";
import { copyOptions, isSet, refuse } from "../read_option.js";
import { refusePendingChunk } from "../pending.js";
import { Results } from "../results.js";
import { joinPieces, readResume } from "../resume.js";
import { adoptCodecs } from "./codecs.js";
import { readFailure } from "./failure.js";
import { readEncodeOptions, readTarget, setEncodeOptions, withoutEncodeOptions } from "./options.js";

/** Names of the options besides the encode options. */
const ENCODER_OPTIONS = [...STREAM_OPTIONS, "resume"];

export class StreamEncoder {
  static get name() {
    return "StreamEncoder";
  }

  #handle;
  #api;
  #readsDeltas;
  /** @type {PublicEncoder["result"]} */
  #result;
  /**
   * The HTTP details of the error that ended the stream, which the module doesn't keep.
   *
   * @type {{ status?: number, retryAfter?: number }}
   */
  #http = {};

  /**
   * @param {WireApi} api
   * @param {EncoderOptions} [options]
   */
  constructor(api, options) {
    this.#api = readTarget(api, "The first argument");
    const inner = create(this.#api, copyOptions(options));
    this.#readsDeltas = inner.readsDeltas();
    this.#handle = new Handle(inner, "StreamEncoder");
  }

  /**
   * @param {Bytes} saved
   * @param {StreamAccumulatorOptions & EncodeOptions} [options]
   * @returns {PublicEncoder}
   */
  static restore(saved, options) {
    adoptCodecs();
    const inner = Encoder.restore(saved);
    /** @type {StreamEncoder | undefined} */
    let restored;
    try {
      const set = copyOptions(options);
      if (isSet(Reflect.get(set, "resume"))) {
        refuse("options.resume is for new encoders: a restored one goes on after what it has written");
      }
      restored = new StreamEncoder(/** @type {WireApi} */ (inner.target()), set);
      const { inner: other } = restored.#handle;
      refuseOthers(setOptions(set), (number) => inner.hasOptionOf(other, number));
      refuseOthers(setEncodeOptions(set), (number) => inner.hasWritingOf(other, number));
    } catch (error) {
      inner.free();
      restored?.free();
      throw error;
    }
    restored.#handle.replace(inner);
    restored.#readsDeltas = inner.readsDeltas();
    return /** @type {PublicEncoder} */ (/** @type {unknown} */ (restored));
  }

  save() {
    return this.#handle.inner.save();
  }

  get api() {
    return this.#api;
  }

  /**
   * @param {Bytes} bytes
   * @returns {Uint8Array<ArrayBuffer>}
   */
  pushBytes(bytes) {
    if (this.#readsDeltas) refuseOtherThanDelta(bytes);
    return throughInbox(this.#handle.inner, bytes);
  }

  /**
   * @param {object} chunk
   * @returns {Uint8Array<ArrayBuffer>}
   */
  push(chunk) {
    refusePendingChunk(chunk);
    if (this.#readsDeltas) checkDelta(chunk);
    // A getter of the chunk may have freed this encoder.
    return this.#handle.inner.push(chunk);
  }

  /** @returns {Uint8Array<ArrayBuffer>} */
  finish() {
    return this.#handle.inner.finish();
  }

  /**
   * @param {unknown} [reason]
   * @returns {Uint8Array<ArrayBuffer>}
   */
  abort(reason) {
    // A getter of the reason may free this encoder.
    const message = reason === undefined ? undefined : messageOf(reason);
    return this.#handle.inner.abort(message);
  }

  /**
   * @param {unknown} error
   * @returns {Uint8Array<ArrayBuffer>}
   */
  fail(error) {
    const { failure, status, retryAfter } = readFailure(error);
    const { inner } = this.#handle;
    if (!inner.isOver()) this.#http = { ...(status > 0 && { status }), ...(retryAfter !== undefined && { retryAfter }) };
    return inner.fail(failure, status);
  }

  /** @returns {Uint8Array<ArrayBuffer>} */
  heartbeat() {
    return this.#handle.inner.heartbeat();
  }

  get isOver() {
    return this.#handle.inner.isOver();
  }

  get isDone() {
    return this.#handle.inner.isDone();
  }

  /** @returns {Warning[]} */
  get lost() {
    return this.#handle.inner.lost();
  }

  /** @returns {PublicEncoder["result"]} */
  get result() {
    const { inner } = this.#handle;
    if (this.#result === undefined && inner.hasEnded()) {
      const result = new Results().take(inner, true);
      if (result.error) Object.assign(result.error, this.#http);
      this.#result = result;
    }
    return this.#result;
  }

  free() {
    this.#handle.free();
  }
}

/**
 * @param {WireApi} api
 * @param {EncoderOptions} allOptions
 */
function create(api, { resume, ...options }) {
  const writing = readEncodeOptions(options, ENCODER_OPTIONS);
  const reading = readStreamOptions(withoutEncodeOptions(options));
  if (!isSet(resume)) {
    adoptCodecs();
    return new Encoder(api, writing, reading);
  }
  if (isSet(options.api)) refuse("options.api can't be combined with options.resume: an encoder that resumes reads deltas");
  return new Encoder(api, writing, reading, readMissed(resume));
}

/** Reads the option's deltas as JSON. */
const readMissed = checked(
  (/** @type {EncoderOptions["resume"]} */ resume) => JSON.stringify(joinPieces(readResume(resume), pieceReader())),
  "options.resume",
);

/**
 * Returns a function that reads pieces. The arguments of parallel calls are interleaved, and each turn of a request
 * counts its calls from 0, so each start begins another part.
 *
 * @returns {import("../resume.js").ReadPiece<RequestDelta>}
 */
function pieceReader() {
  let starts = 0;
  /** @type {Map<string, number>} */
  const calls = new Map();
  return (delta) => {
    if (delta.type !== "tool-call-start" && delta.type !== "tool-call-delta") return undefined;
    const place = `${delta.choice ?? 0} ${delta.index}`;
    if (delta.type === "tool-call-start") {
      calls.set(place, starts++);
      return undefined;
    }
    return {
      part: `${place} ${calls.get(place)}`,
      text: delta.arguments,
      withText: (text) => ({ ...delta, arguments: text }),
    };
  };
}

/** Throws for anything but deltas and the internal markers `done` and `cut`, which say how the stream ended. */
const checkDelta = checked(
  (/** @type {{ type?: unknown }} */ value) => {
    if (!isDelta(value) && value?.type !== "done" && value?.type !== "cut") refuseOtherThanDelta(value);
  },
  "The delta",
  "invalid-chunk",
);

/** @param {unknown} value @returns {never} */
function refuseOtherThanDelta(value) {
  const advice = "an encoder made with options.resume reads the deltas of a stream, one per push()";
  throw new RespoolError("invalid-chunk", `Expected a delta, got ${quote(value)}: ${advice}`);
}

makeDisposable(StreamEncoder);
makeInspectable(StreamEncoder, (encoder) => ({
  api: encoder.api,
  ending: encoder.result?.ending ?? "open",
  lost: encoder.lost.map(({ message }) => message),
}));
