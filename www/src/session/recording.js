// What a model sent: bytes, the frames in them with their times, the deltas of each frame, and the result.
import { StreamAccumulator, detectApi, process } from "respool";
import { FrameCutter, Framing } from "../capture/frame-cutter.js";
import { breathe } from "./breathe.js";

/**
 * @typedef {object} Frame
 * @property {number} start where in the bytes it begins
 * @property {number} end the byte after its last
 * @property {number} [time] milliseconds since the beginning, where they are known
 */

const WITHOUT_MESSAGE = ["openai-embeddings", "openai-images"];
const decoder = new TextDecoder();

export class Recording {
  name;
  /** @type {Frame[]} */
  frames = [];
  /** The deltas of each frame. @type {import("respool").Delta[][]} */
  deltas = [];
  /** What is wrong, where nothing could be read. @type {Error | undefined} */
  fault;
  isOver = false;
  #result;
  #value;
  #cutter = new FrameCutter();
  #accumulator = new StreamAccumulator({ partialJson: true });

  constructor(name) {
    this.name = name;
  }

  /** Reads everything that there is, without keeping the page from answering. */
  static async of(name, reads) {
    const recording = new Recording(name);
    for (const { bytes, time } of reads) await recording.appendSlowly(bytes, time);
    recording.finish();
    return recording;
  }

  get size() {
    return this.#cutter.length;
  }

  get bytes() {
    return this.#cutter.slice(0, this.size);
  }

  get isTimed() {
    return this.frames.some(({ time }) => time !== undefined);
  }

  /** The result, also while more comes. */
  get result() {
    return this.#result ?? this.#accumulator.snapshot();
  }

  /** What `process` gives: of a stream, what it would give of the same answer not streamed. */
  get value() {
    return this.isOver ? (this.#value ??= this.#valueOfAll()) : undefined;
  }

  /** The interface, as far as it is known. */
  get api() {
    const { api, apiName } = this.result.response.apiSpecific ?? {};
    return apiName ?? api?.replaceAll("_", "-") ?? this.#apiOfBody();
  }

  get isBody() {
    return this.frames.length === 1 && this.#cutter.framing !== Framing.Events && this.#isWhole();
  }

  bytesOf({ start, end }) {
    return this.#cutter.slice(start, end);
  }

  textOf(frame) {
    return decoder.decode(this.bytesOf(frame));
  }

  append(bytes, time) {
    for (const frame of this.#cutter.push(bytes)) this.#read(frame, time);
  }

  async appendSlowly(bytes, time) {
    const pause = breathe();
    for (const frame of this.#cutter.push(bytes)) {
      this.#read(frame, time);
      await pause();
    }
  }

  finish() {
    this.#end(() => this.#accumulator.finish());
  }

  abort(reason) {
    this.#end(() => this.#accumulator.abort(reason));
  }

  free() {
    this.#accumulator.free();
  }

  #read(frame, time) {
    this.frames.push(time === undefined ? frame : { ...frame, time });
    this.deltas.push(this.#accumulator.pushBytes(this.bytesOf(frame)));
  }

  #end(ending) {
    if (this.isOver) return;
    for (const frame of this.#cutter.finish()) this.#read(frame, this.frames.at(-1)?.time);
    this.#result = ending();
    // What the end of the input completed belongs to what came last.
    const late = this.#accumulator.takeDeltas();
    if (late.length > 0 && this.frames.length > 0) this.deltas[this.deltas.length - 1] = [...this.deltas.at(-1), ...late];
    this.isOver = true;
  }

  #isWhole() {
    return this.#apiOfBody() !== undefined;
  }

  #apiOfBody() {
    if (this.frames.length !== 1) return undefined;
    try {
      return detectApi(this.bytesOf(this.frames[0]));
    } catch {
      return undefined;
    }
  }

  #valueOfAll() {
    const { toolCalls, text, refusal } = this.#result;
    const ofStream = toolCalls.length > 0 ? toolCalls : text || refusal || "";
    if (!this.isBody) return ofStream;
    try {
      return process({}, this.bytesOf(this.frames[0]));
    } catch (error) {
      return { error: { code: error.code, message: error.message } };
    }
  }

  /** Whether the answer is vectors or images and not a message. */
  get isWithoutMessage() {
    return WITHOUT_MESSAGE.includes(this.api);
  }
}
