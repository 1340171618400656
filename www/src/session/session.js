// The state of the page: the open recording, the replay position and the selected event.
import { Recording } from "./recording.js";
import { Transcript } from "./transcript.js";

/** How long a frame without a time is shown at speed 1. */
const STEP_MS = 30;
/** Longer gaps are shortened to this. */
const LONGEST_GAP_MS = 2000;

/** A session with an open recording. @typedef {Session & { recording: Recording }} OpenSession */

/** @param {Session} session @returns {session is OpenSession} */
export const isOpen = (session) => session.recording !== undefined;

export class Session {
  /** @type {Recording | undefined} */
  recording;
  transcript = new Transcript();
  selected = -1;
  isPlaying = false;
  speed = 1;
  /** Whether the response is still arriving. */
  isLive = false;
  /** @type {Set<() => void>} */
  #listeners = new Set();
  #isUpdateScheduled = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** The number of frames at the last call of `follow`. */
  #followed = 0;

  /** @param {() => void} listener @returns {() => void} removes the listener */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Updates the page at the next animation frame. */
  #update() {
    if (this.#isUpdateScheduled) return;
    this.#isUpdateScheduled = true;
    const notify = () => {
      this.#isUpdateScheduled = false;
      for (const listener of this.#listeners) listener();
    };
    // A hidden page has no animation frames.
    if (document.hidden) setTimeout(notify, 100);
    else requestAnimationFrame(notify);
  }

  /** Opens a recording at its end. @param {Recording} recording */
  show(recording) {
    this.pause();
    if (this.recording !== recording) this.recording?.free();
    this.recording = recording;
    this.isLive = !recording.isFinished;
    this.selected = -1;
    this.#followed = recording.frames.length;
    this.seek(recording.frames.length);
  }

  clear() {
    this.pause();
    this.recording?.free();
    this.recording = undefined;
    this.isLive = false;
    this.selected = -1;
    this.transcript = new Transcript();
    this.#update();
  }

  get length() {
    return this.recording?.frames.length ?? 0;
  }

  /** Whether the complete response is shown. */
  get isAtEnd() {
    return !this.isLive && this.position === this.length;
  }

  get position() {
    return this.transcript.position;
  }

  /** Call this when a live recording has grown or finished. */
  follow() {
    const wasAtEnd = this.position >= this.#followed;
    this.#followed = this.length;
    this.isLive = this.recording?.isFinished === false;
    // The position stays if the user went back to look at something.
    if (wasAtEnd) this.seek(this.length);
    else this.#update();
  }

  /** Shows the response as it was after this many frames. @param {number} position */
  seek(position) {
    const { recording } = this;
    const target = Math.min(Math.max(position, 0), this.length);
    if (target < this.position || this.transcript.recording !== recording) this.transcript = new Transcript(recording);
    if (recording) while (this.position < target) this.transcript.advance(recording.deltas[this.position]);
    this.#update();
  }

  /** @param {number} index */
  select(index) {
    this.selected = Math.min(Math.max(index, -1), this.length - 1);
    this.#update();
  }

  /** @param {number} frames forward, or backward if negative */
  step(frames) {
    this.pause();
    this.seek(this.position + frames);
    this.select(this.position - 1);
  }

  play() {
    if (this.length === 0) return;
    if (this.position >= this.length) this.seek(0);
    this.isPlaying = true;
    this.#schedule();
    this.#update();
  }

  pause() {
    clearTimeout(this.#timer);
    this.isPlaying = false;
    this.#update();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    if (this.isPlaying) this.#schedule();
    this.#update();
  }

  #schedule() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#advance(), Math.max(this.#gapBefore(this.position) / this.speed, 4));
  }

  /** Advances by all frames that are due, because timers are slower than models. */
  #advance() {
    let due = 4 * this.speed;
    let position = this.position;
    do {
      position += 1;
      due -= this.#gapBefore(position);
    } while (due > 0 && position < this.length);
    this.seek(position);
    this.select(this.position - 1);
    if (this.position >= this.length) this.pause();
    else this.#schedule();
  }

  /** Milliseconds between a frame and the one before. @param {number} index */
  #gapBefore(index) {
    const frames = this.recording?.frames ?? [];
    const [time, before] = [frames[index]?.time, frames[index - 1]?.time ?? 0];
    return time === undefined ? STEP_MS : Math.min(Math.max(time - before, 0), LONGEST_GAP_MS);
  }
}
