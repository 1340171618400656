// Times contenders against each other in alternating rounds, so that other load on the machine affects all of them.
import { checkResult } from "./check.mjs";

/**
 * @typedef {object} Plan
 * @property {number} rounds how many rounds to time
 * @property {number} fewest the fewest rounds for a slow contender
 * @property {number} sampleMs minimum time for one sample: faster runs are repeated
 * @property {number} firstWarmUpMs how long to warm up a contender in its first case: SDKs need dozens of runs
 * @property {number} warmUpMs how long to warm up a contender in later cases
 * @property {number} budgetMs the time for one contender in one case: slow contenders skip rounds
 * @property {boolean} cpuTime whether to measure processor time, of all threads of this process together
 */

/** @import { Contender } from "./contenders/index.mjs" */
/** @import { Case } from "./workloads/index.mjs" */

/**
 * A time divided by the reference's: the median, and the middle half.
 *
 * @typedef {{ median: number, low: number, high: number }} Ratio
 */

/**
 * @typedef {object} Figures
 * @property {string} name
 * @property {Contender["over"]} over
 * @property {number} nanoseconds per unit
 * @property {number | undefined} megabytesPerSecond
 * @property {number} samples
 * @property {Ratio | undefined} ratio to the reference
 * @property {Ratio | undefined} ratioAlike to the first contender that reads its input in the same way
 */

/** @typedef {{ name: string, unit: string, units: number, bytes: number | undefined, contenders: Figures[] }} Measurement */

/**
 * Measures a case with the contenders that can read its input. The first one is the reference.
 *
 * @param {Case} benchCase
 * @param {Contender[]} contenders
 * @param {Plan} plan
 * @returns {Promise<Measurement>}
 */
export async function measureCase(benchCase, contenders, plan) {
  const made = Array.from({ length: benchCase.inputs ?? 1 }, (_, seed) => benchCase.make(1, seed));
  const units = made.reduce((sum, one) => sum + one.units, 0);
  const bytes = made.every((one) => one.bytes !== undefined) ? made.reduce((sum, one) => sum + (one.bytes ?? 0), 0) : undefined;
  globalThis.gc?.();
  /** @type {Entrant[]} */
  const entrants = [];
  for (const contender of contenders) {
    const runs = made.map(({ input, expected }) => ({
      input,
      check: (/** @type {unknown} */ result) => checkResult(benchCase, contender, result, expected),
    }));
    entrants.push(await Entrant.warmUp(contender, runs, plan));
  }
  for (let round = 0; round < plan.rounds; round++) {
    for (const entrant of rotated(entrants, round)) await entrant.sample(round);
  }
  return {
    name: benchCase.name,
    unit: benchCase.unit,
    units,
    bytes,
    contenders: entrants.map((entrant) => figures(entrant, entrants, { units, bytes })),
  };
}

/**
 * @param {Entrant} entrant
 * @param {Entrant[]} entrants
 * @param {{ units: number, bytes: number | undefined }} size
 * @returns {Figures}
 */
function figures(entrant, entrants, { units, bytes }) {
  const milliseconds = quantile(entrant.times(), 0.5);
  const { name, over } = entrant.contender;
  // Contenders that read a response are also compared with the first of them.
  const [alike] = over === undefined ? [] : entrants.filter(({ contender }) => contender.over === over);
  return {
    name,
    over,
    nanoseconds: (milliseconds * 1e6) / units,
    megabytesPerSecond: bytes && bytes / milliseconds / 1000,
    samples: entrant.samples.size,
    ratio: ratioTo(entrants[0], entrant),
    ratioAlike: alike && ratioTo(alike, entrant),
  };
}

/** Returns the time divided by the reference's: the median and the middle half. @param {Entrant} reference @param {Entrant} entrant */
function ratioTo(reference, entrant) {
  if (entrant === reference) return undefined;
  const usual = quantile(reference.times(), 0.5);
  const ratios = Array.from(entrant.samples, ([round, time]) => time / (reference.samples.get(round) ?? usual));
  return { median: quantile(ratios, 0.5), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
}

/** A contender that takes longer than this is run only once. */
const TOO_SLOW_MS = 2000;

const CLOCKS = {
  wall: () => performance.now(),
  cpu() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/** The contenders whose code is already compiled. */
const warmedUp = new WeakSet();

/** An input, and the check of a contender's result. @typedef {{ input: unknown, check: (result: unknown) => void }} Run */

/** A contender in a case. */
class Entrant {
  /** Milliseconds for all inputs, by round. @type {Map<number, number>} */
  samples = new Map();

  repeat = 1;
  /** The rounds in which it runs. @type {Set<number>} */
  rounds = new Set();

  /** @param {Contender} contender @param {Run[]} runs @param {() => number} clock */
  constructor(contender, runs, clock) {
    this.contender = contender;
    this.runs = runs;
    this.clock = clock;
  }

  /** @param {Contender} contender @param {Run[]} runs @param {Plan} plan */
  static async warmUp(contender, runs, plan) {
    const entrant = new Entrant(contender, runs, plan.cpuTime ? CLOCKS.cpu : CLOCKS.wall);
    const began = performance.now();
    let took = await entrant.time();
    if (took > TOO_SLOW_MS) {
      entrant.samples.set(-1, took); // no round has this number
      return entrant;
    }
    const enough = warmedUp.has(contender) ? plan.warmUpMs : plan.firstWarmUpMs;
    warmedUp.add(contender);
    while (performance.now() - began < enough) took = Math.min(took, await entrant.time());
    entrant.repeat = Math.ceil(plan.sampleMs / Math.max(took, 0.001)); // the clock may not have advanced
    entrant.rounds = spread(Math.max(plan.fewest, Math.floor(plan.budgetMs / Math.max(plan.sampleMs, took))), plan.rounds);
    return entrant;
  }

  /** @param {number} round */
  async sample(round) {
    if (this.rounds.has(round)) this.samples.set(round, await this.time());
  }

  times() {
    return [...this.samples.values()];
  }

  async time() {
    const { clock, contender, repeat, runs } = this;
    // A minor collection only: a full one discards optimised code, which would slow down the next contender.
    globalThis.gc?.({ type: "minor" });
    const results = [];
    const began = clock();
    for (let times = 0; times < repeat; times++) {
      results.length = 0;
      for (const { input } of runs) {
        const result = contender.run(input);
        results.push(result instanceof Promise ? await result : result);
      }
    }
    const took = (clock() - began) / repeat;
    for (const [at, { check }] of runs.entries()) check(results[at]);
    const { milliseconds } = contender;
    return milliseconds === undefined ? took : results.reduce((sum, result) => sum + milliseconds(result), 0);
  }
}

/**
 * The rounds in which a contender runs, evenly spread if it doesn't run in all of them.
 *
 * @param {number} wanted
 * @param {number} rounds
 */
function spread(wanted, rounds) {
  const count = Math.min(wanted, rounds);
  return new Set(Array.from({ length: count }, (_, at) => Math.floor((at * rounds) / count)));
}

/** @template T @param {T[]} list @param {number} by */
function rotated(list, by) {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

/** @param {number[]} values @param {number} fraction */
function quantile(values, fraction) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * fraction;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}
