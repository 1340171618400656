/** Time, which tests replace, and functions that wait. */

/** @import { Clock } from "../types/api.js" */

import { orAbort } from "../abort.js";
import { readFunction, readObject, refuseValue } from "../read_option.js";

/** Maximum delay of a timer in milliseconds. Runtimes fire a timer with a longer delay at once. */
const LONGEST = 2 ** 31 - 1;

/**
 * Returns a clock whose missing functions are the runtime's.
 *
 * @param {Clock | null | undefined} value
 * @returns {Required<Clock>}
 */
export function clockOf(value) {
  const custom = readObject(value, "options.clock");
  for (const name of /** @type {const} */ (["now", "setTimeout", "clearTimeout"]))
    readFunction(custom?.[name], `options.clock.${name}`);
  return {
    now: () => custom?.now?.() ?? Date.now(),
    setTimeout: (run, ms) => (custom?.setTimeout ? custom.setTimeout(run, ms) : setTimeout(run, Math.min(ms, LONGEST))),
    clearTimeout: (timer) =>
      custom?.clearTimeout ? custom.clearTimeout(timer) : clearTimeout(/** @type {ReturnType<typeof setTimeout>} */ (timer)),
  };
}

/**
 * Waits, or rejects with the signal's reason.
 *
 * @param {number} ms
 * @param {Required<Clock>} clock
 * @param {AbortSignal} [signal]
 */
export async function wait(ms, clock, signal) {
  /** @type {unknown} */
  let timer;
  const elapsed = new Promise((resolve) => {
    timer = clock.setTimeout(() => resolve(undefined), ms);
  });
  try {
    await orAbort(elapsed, signal);
  } finally {
    clock.clearTimeout(timer);
  }
}

const FIRST_DELAY = 500;
const MAX_DELAY = 30_000;

/**
 * Returns the delay before an attempt in milliseconds: it doubles each time, less a random part of up to a half.
 *
 * @param {number} attempt from 1 on
 * @param {() => number} random
 */
export function backoff(attempt, random) {
  const part = random();
  if (!(part >= 0 && part <= 1)) refuseValue("The result of options.random", "a number from 0 to 1", part);
  return Math.min(FIRST_DELAY * 2 ** (attempt - 1), MAX_DELAY) * (1 - part / 2);
}

/** Calls a function unless it is restarted or stopped in time. */
export class Watchdog {
  #clock;
  #ms;
  #run;
  /** @type {unknown} */
  #timer;

  /**
   * @param {Required<Clock>} clock
   * @param {number | undefined} ms undefined to never call it
   * @param {() => void} run
   */
  constructor(clock, ms, run) {
    this.#clock = clock;
    this.#ms = ms;
    this.#run = run;
  }

  /** @param {number} [extra] milliseconds to allow in addition, this once */
  restart(extra = 0) {
    this.stop();
    if (this.#ms !== undefined) this.#timer = this.#clock.setTimeout(this.#run, this.#ms + extra);
  }

  stop() {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
