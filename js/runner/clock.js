/** Time, which tests hand in, and waiting. */

import { orAbort } from "../abort.js";

/** A clock with what is missing taken from the runtime. `now` is in milliseconds since 1970. */
export function clockOf(given) {
  return {
    now: () => given?.now?.() ?? Date.now(),
    setTimeout: (run, ms) => (given?.setTimeout ? given.setTimeout(run, ms) : setTimeout(run, ms)),
    clearTimeout: (timer) => (given?.clearTimeout ? given.clearTimeout(timer) : clearTimeout(timer)),
  };
}

/** Resolves after a while; rejects with the signal's reason. */
export async function wait(ms, clock, signal) {
  let timer;
  try {
    await orAbort(new Promise((resolve) => (timer = clock.setTimeout(resolve, ms))), signal);
  } finally {
    clock.clearTimeout(timer);
  }
}

const FIRST_DELAY = 500;
const MAX_DELAY = 30_000;

/** How long to wait before an attempt, from 1 on, in milliseconds: twice as long each time, less up to a half by chance. */
export function backoff(attempt, random) {
  return Math.min(FIRST_DELAY * 2 ** (attempt - 1), MAX_DELAY) * (1 - random() / 2);
}

/** Calls `run` unless it is restarted within the time; with no time it never does. */
export class Watch {
  #clock;
  #ms;
  #run;
  #timer;

  constructor(clock, ms, run) {
    [this.#clock, this.#ms, this.#run] = [clock, ms, run];
  }

  /** `extra`: so much longer, this once. */
  restart(extra = 0) {
    this.stop();
    if (this.#ms !== undefined) this.#timer = this.#clock.setTimeout(this.#run, this.#ms + extra);
  }

  stop() {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** A controller that is aborted with a signal, until `unlink` is called. */
export function linkedTo(signal) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  return { controller, signal: controller.signal, unlink: () => signal?.removeEventListener("abort", abort) };
}
