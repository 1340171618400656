// What the page is about at present: one recording, how far it is replayed, and what is selected.
import { Recording } from "./recording.js";
import { Transcript } from "./transcript.js";

/** How long a frame is shown whose time is not known, at speed 1. */
const STEP_MS = 30;
/** A gap is not replayed for longer. */
const LONGEST_GAP_MS = 2000;

export class Session {
  /** @type {Recording | undefined} */
  recording;
  transcript = new Transcript();
  selected = -1;
  isPlaying = false;
  speed = 1;
  /** Whether the recording is still being made. */
  isLive = false;
  #listeners = new Set();
  #isTold = false;
  #timer;
  /** How many frames there were when it was last followed. */
  #followed = 0;

  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What has changed is shown with the next frame of the screen. */
  changed() {
    if (this.#isTold) return;
    this.#isTold = true;
    const tell = () => {
      this.#isTold = false;
      for (const listener of this.#listeners) listener();
    };
    // A page in the background paints nothing.
    if (document.hidden) setTimeout(tell, 100);
    else requestAnimationFrame(tell);
  }

  /** Shows a recording, all of it. */
  show(recording) {
    this.pause();
    if (this.recording !== recording) this.recording?.free();
    this.recording = recording;
    this.isLive = !recording.isOver;
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
    this.changed();
  }

  get length() {
    return this.recording?.frames.length ?? 0;
  }

  /** Whether everything is shown, and nothing more will come. */
  get isAtEnd() {
    return !this.isLive && this.position === this.length;
  }

  get position() {
    return this.transcript.position;
  }

  /** More has come, or the recording is over. */
  follow() {
    const isAtEnd = this.position >= this.#followed;
    this.#followed = this.length;
    this.isLive = !this.recording.isOver;
    // Who has gone back to look at something stays there.
    if (isAtEnd) this.seek(this.length);
    else this.changed();
  }

  /** Shows the answer as it was after so many frames. */
  seek(position) {
    const goal = Math.min(Math.max(position, 0), this.length);
    if (goal < this.position || this.transcript.of !== this.recording) {
      this.transcript = new Transcript();
      this.transcript.of = this.recording;
    }
    while (this.position < goal) this.transcript.advance(this.recording.deltas[this.position]);
    this.changed();
  }

  select(index) {
    this.selected = Math.min(Math.max(index, -1), this.length - 1);
    this.changed();
  }

  step(by) {
    this.pause();
    this.seek(this.position + by);
    this.select(this.position - 1);
  }

  play() {
    if (this.length === 0) return;
    if (this.position >= this.length) this.seek(0);
    this.isPlaying = true;
    this.#schedule();
    this.changed();
  }

  pause() {
    clearTimeout(this.#timer);
    this.isPlaying = false;
    this.changed();
  }

  setSpeed(speed) {
    this.speed = speed;
    if (this.isPlaying) this.#schedule();
    this.changed();
  }

  #schedule() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#advance(), Math.max(this.#gap(this.position) / this.speed, 4));
  }

  /** As many frames as are due: timers are slower than models. */
  #advance() {
    let due = 4 * this.speed;
    let position = this.position;
    do {
      position += 1;
      due -= this.#gap(position);
    } while (due > 0 && position < this.length);
    this.seek(position);
    this.select(this.position - 1);
    if (this.position >= this.length) this.pause();
    else this.#schedule();
  }

  /** How long a frame came after the one before. */
  #gap(index) {
    const { frames } = this.recording;
    const [time, before] = [frames[index]?.time, frames[index - 1]?.time ?? 0];
    return time === undefined ? STEP_MS : Math.min(Math.max(time - before, 0), LONGEST_GAP_MS);
  }
}
