// Records a response: its bytes, their frames with times, the deltas of each frame, and the result.
import { detectApi, process, RespoolError, StreamAccumulator } from "respool";
import { isBody, isEnvelope } from "../../../js/batch_lines.js";
import { hasMessage } from "../../../js/interfaces.js";
import { kindOf, parseEvent } from "../capture/event.js";
import { FrameCutter } from "../capture/frame-cutter.js";
import { parseJson } from "../capture/values.js";
import { Provenance } from "./provenance.js";
import { createYield } from "./yielding.js";

/** @import { Delta, StreamResult } from "respool" */
/** @import { Entry } from "../capture/capture.js" */
/** @import { Exchange } from "../capture/exchange.js" */
/** @import { Range } from "../capture/frame-cutter.js" */

/** @typedef {Range & { time?: number }} Frame a range of bytes, and its arrival time in milliseconds since the start */

const decoder = new TextDecoder();

export class Recording {
  /** @type {Frame[]} */
  frames = [];
  /** The deltas of each frame. @type {Delta[][]} */
  deltas = [];
  isFinished = false;
  /** Whether the arrival times of frames are known. */
  isTimed = false;
  /** Why the connection was lost. @type {string | undefined} */
  brokenBy;
  /** Maps each piece of the response to its event. */
  provenance = new Provenance();
  /** @type {StreamResult | undefined} */
  #result;
  /** The result after a number of bytes. @type {{ size: number, result: StreamResult } | undefined} */
  #snapshot;
  /** @type {unknown} */
  #value;
  #cutter = new FrameCutter();
  /** Number of bytes that the accumulator has read. */
  #read = 0;
  #accumulator = new StreamAccumulator({ partialJson: true });

  /** @param {string} name @param {{ exchange?: Exchange | undefined, wasUtf16?: boolean }} [origin] */
  constructor(name, { exchange, wasUtf16 = false } = {}) {
    this.name = name;
    /** The request and the response around the bytes, if known. */
    this.exchange = exchange;
    /** Whether the bytes were converted from UTF-16. */
    this.wasUtf16 = wasUtf16;
  }

  /** Records a whole response, keeping the page responsive meanwhile. @param {Entry} entry */
  static async of(entry) {
    const { name, chunks } = entry;
    const recording = new Recording(name, entry);
    const pause = createYield();
    for (const { bytes, time } of chunks) {
      for (const frame of recording.#cutter.push(bytes)) {
        recording.#record(frame, time);
        await pause();
      }
    }
    recording.finish();
    return recording;
  }

  get size() {
    return this.#cutter.length;
  }

  /** The framing of the bytes. */
  get framing() {
    return this.#cutter.framing;
  }

  get bytes() {
    return this.#cutter.slice(0, this.size);
  }

  /** The result so far, or the final one at the end. */
  get result() {
    if (this.#result) return this.#result;
    if (this.#snapshot?.size !== this.size) this.#snapshot = { size: this.size, result: this.#accumulator.snapshot() };
    return this.#snapshot.result;
  }

  /** The result of `process` for a body; for a stream, its result for the same response without streaming. */
  get value() {
    if (this.#result === undefined) return undefined;
    this.#value ??= this.isBody ? this.#processBody() : streamedValue(this.#result);
    return this.#value;
  }

  /** The API, once it is known. */
  get api() {
    const details = this.result.response.apiSpecific;
    if (details?.api === "custom") return details.apiName;
    return details?.api.replaceAll("_", "-") ?? this.#apiOfBody();
  }

  /** Whether the response has a message, unlike embeddings and images. */
  get hasMessage() {
    return hasMessage(this.api);
  }

  /** Whether the only frame is a complete answer, and not the first event of a truncated stream. */
  get isBody() {
    if (this.#cutter.framing === "events" || this.#apiOfBody() === undefined) return false;
    const value = parseJson(this.textOf(this.frames[0]));
    // The frame of a stream that is a single array includes the bracket, which isn't valid JSON.
    return isBody(value) || isEnvelope(value);
  }

  /** @param {Range} range */
  bytesOf({ start, end }) {
    return this.#cutter.slice(start, end);
  }

  /** @param {Range} range */
  textOf(range) {
    return decoder.decode(this.bytesOf(range));
  }

  /** Returns the kind of an event, as the provider names it. @param {number} index */
  kindOf(index) {
    return kindOf(parseEvent(this.bytesOf(this.frames[index])));
  }

  /** @param {Uint8Array} bytes @param {number} [time] */
  append(bytes, time) {
    for (const frame of this.#cutter.push(bytes)) this.#record(frame, time);
  }

  finish() {
    this.#end(() => this.#accumulator.finish());
  }

  /** Records that the connection was lost, which doesn't matter after a complete answer. @param {string} reason */
  breakOff(reason) {
    this.brokenBy = reason;
    this.finish();
  }

  /** @param {unknown} reason */
  abort(reason) {
    this.#end(() => this.#accumulator.abort(reason));
  }

  /** @param {Range} frame @param {number} [time] */
  #record(frame, time) {
    this.frames.push(time === undefined ? frame : { ...frame, time });
    this.isTimed ||= time !== undefined;
    // Includes the preceding white space, so that positions in warnings are right.
    const deltas = this.#accumulator.pushBytes(this.bytesOf({ start: this.#read, end: frame.end }));
    this.#read = frame.end;
    this.provenance.add(this.deltas.length, deltas);
    this.deltas.push(deltas);
  }

  /** @param {() => StreamResult} endAccumulator */
  #end(endAccumulator) {
    if (this.isFinished) return;
    for (const frame of this.#cutter.finish()) this.#record(frame, this.frames.at(-1)?.time);
    this.#result = endAccumulator();
    this.#snapshot = undefined;
    // Deltas that only the end of the input completes belong to the last frame.
    const last = this.deltas.length - 1;
    if (last >= 0) {
      const rest = this.#accumulator.takeDeltas();
      this.provenance.add(last, rest);
      this.deltas[last] = [...this.deltas[last], ...rest];
    }
    this.isFinished = true;
    // The result stays valid.
    this.#accumulator.free();
  }

  #apiOfBody() {
    if (this.frames.length !== 1) return undefined;
    try {
      return detectApi(this.bytesOf(this.frames[0]));
    } catch {
      return undefined;
    }
  }

  #processBody() {
    try {
      return process({}, this.bytesOf(this.frames[0]));
    } catch (error) {
      if (!(error instanceof RespoolError)) throw error;
      return { error: { code: error.code, message: error.message } };
    }
  }
}

/** @param {StreamResult} result */
function streamedValue({ toolCalls, text, refusal }) {
  return toolCalls.length > 0 ? toolCalls : text || refusal || "";
}
