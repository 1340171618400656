// The state of the page: the open recording, the replay position and the selected event.
import { ReplayClock } from "./clock.js";
import { Transcript } from "./transcript.js";

/** @import { Range } from "../capture/frame-cutter.js" */
/** @import { Recording } from "./recording.js" */
/** @import { Span } from "./provenance.js" */

/** Interval in milliseconds for updating a hidden page, which has no animation frames. */
const HIDDEN_MS = 100;

/** A session with an open recording. @typedef {Session & { recording: Recording }} OpenSession */

/** @param {Session} session @returns {session is OpenSession} */
export const isOpen = (session) => session.recording !== undefined;

export class Session {
  /** @type {Recording | undefined} */
  recording;
  transcript = new Transcript();
  selected = -1;
  /** The bytes of the selected event to highlight, as a range of all bytes. @type {Range | undefined} */
  marked;
  /** The matches of the search in the assembled response. @type {Span[]} */
  found = [];
  isPlaying = false;
  speed = 1;
  /** Whether the response is still arriving. */
  isLive = false;
  /** @type {Set<() => void>} */
  #listeners = new Set();
  #isUpdateScheduled = false;
  /** Cancels the next step of a replay. @type {(() => void) | undefined} */
  #cancel;
  /** The position at which the replay began or changed its speed. */
  #began = { at: 0, time: 0 };
  /** @type {ReplayClock | undefined} */
  #clock;
  /** Number of frames at the last call of `follow`. */
  #followed = 0;

  /** @param {() => void} listener @returns {() => void} removes the listener */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Updates the page in the next animation frame. */
  #update() {
    if (this.#isUpdateScheduled) return;
    this.#isUpdateScheduled = true;
    onNextFrame(() => this.#notify());
  }

  #notify() {
    this.#isUpdateScheduled = false;
    for (const listener of this.#listeners) listener();
  }

  /** Opens a recording at its end. @param {Recording} recording */
  show(recording) {
    this.pause();
    this.recording = recording;
    this.isLive = !recording.isFinished;
    this.#unselect();
    this.#followed = recording.frames.length;
    this.seek(recording.frames.length);
  }

  clear() {
    this.pause();
    this.recording = undefined;
    this.isLive = false;
    this.#unselect();
    this.transcript = new Transcript();
    this.#update();
  }

  #unselect() {
    this.selected = -1;
    this.marked = undefined;
    this.found = [];
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

  /** Updates the position; call this when a live recording has grown or finished. */
  follow() {
    const wasAtEnd = this.position >= this.#followed;
    this.#followed = this.length;
    this.isLive = this.recording?.isFinished === false;
    // The position stays if the user went back to an earlier event.
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

  /** Shows the response after this many frames, and selects the last of them. @param {number} position */
  scrub(position) {
    this.pause();
    this.seek(position);
    this.select(this.position - 1);
  }

  /** @param {number} index @param {Range} [marked] bytes to highlight */
  select(index, marked) {
    this.selected = Math.min(Math.max(index, -1), this.length - 1);
    this.marked = marked;
    // The content that an event adds is shown only once the replay has reached the event.
    if (!this.isPlaying && this.selected >= this.position) this.seek(this.selected + 1);
    this.#update();
  }

  /** @param {Span[]} spans */
  find(spans) {
    if (spans.length === 0 && this.found.length === 0) return;
    this.found = spans;
    this.#update();
  }

  /** @param {number} frames number of frames to move forward, or backward if negative */
  step(frames) {
    this.scrub(this.position + frames);
  }

  play() {
    if (this.length === 0) return;
    if (this.position >= this.length) this.seek(0);
    this.#clock = new ReplayClock(this.recording?.frames ?? []);
    this.isPlaying = true;
    this.#startClock();
    this.#update();
  }

  pause() {
    this.#cancel?.();
    this.#cancel = undefined;
    this.isPlaying = false;
    this.#update();
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    if (this.isPlaying) this.#startClock();
    this.#update();
  }

  #startClock() {
    this.#cancel?.();
    this.#began = { at: performance.now(), time: this.#clock?.timeAt(this.position) ?? 0 };
    this.#cancel = onNextFrame(() => this.#advance());
  }

  /** Shows all frames that are due by now, so that a late page catches up. */
  #advance() {
    const { at, time } = this.#began;
    const now = time + (performance.now() - at) * this.speed;
    const target = this.#clock?.positionAt(now, this.position) ?? this.length;
    if (target > this.position) {
      this.seek(target);
      this.select(target - 1);
    }
    if (this.position >= this.length) this.pause();
    else this.#cancel = onNextFrame(() => this.#advance());
  }
}

/** @param {() => void} run @returns {() => void} cancels it */
function onNextFrame(run) {
  if (document.hidden) {
    const timer = setTimeout(run, HIDDEN_MS);
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}
