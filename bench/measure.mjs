// Times contenders against each other: in rounds, each in turn, so that whatever slows the machine slows all of them.
import { checkAnswer } from "./check.mjs";

/**
 * @typedef {object} Plan
 * @property {number} rounds how often each is timed
 * @property {number} fewest how often slow ones are timed at the least
 * @property {number} sampleMs how long one sample takes at the least: what is faster is repeated
 * @property {number} firstWarmUpMs how long each runs before it is timed for the first time: SDKs need dozens of runs
 * @property {number} warmUpMs the same in later cases
 * @property {number} budgetMs what one contender may take in one case: slow ones sit rounds out
 * @property {boolean} cpuTime whether the time of the processor counts, all threads of this process together
 */

/** Measures a case with the contenders that can take it; the first is the reference. */
export async function measureCase(benchCase, contenders, plan) {
  const { input, expected, units, bytes } = benchCase.make(1);
  globalThis.gc?.();
  const entrants = [];
  for (const contender of contenders) {
    const check = (result) => checkAnswer(benchCase, contender, result, expected);
    entrants.push(await Entrant.warmUp(contender, input, check, plan));
  }
  for (let round = 0; round < plan.rounds; round++) {
    for (const entrant of rotated(entrants, round)) await entrant.sample(input, round);
  }
  return {
    name: benchCase.name,
    unit: benchCase.unit,
    units,
    bytes,
    contenders: entrants.map((entrant) => figures(entrant, entrants, { units, bytes })),
  };
}

function figures(entrant, entrants, { units, bytes }) {
  const milliseconds = quantile(entrant.times(), 0.5);
  const { name, over } = entrant.contender;
  // Who is given a response is also compared with the first who is.
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

/** How many times as long as the reference, with the middle half. */
function ratioTo(reference, entrant) {
  if (entrant === reference) return undefined;
  const usual = quantile(reference.times(), 0.5);
  const ratios = Array.from(entrant.samples, ([round, time]) => time / (reference.samples.get(round) ?? usual));
  return { median: quantile(ratios, 0.5), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
}

/** Longer than this, and the first time has to do. */
const UNBEARABLE_MS = 2000;

const CLOCKS = {
  wall: () => performance.now(),
  cpu() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/** Those whose code is compiled already. */
const warmedUp = new WeakSet();

/** A contender in a case. */
class Entrant {
  /** Milliseconds for one run, by round. @type {Map<number, number>} */
  samples = new Map();

  repeat = 1;
  rounds = new Set();

  constructor(contender, check, clock) {
    this.contender = contender;
    this.check = check;
    this.clock = clock;
  }

  static async warmUp(contender, input, check, plan) {
    const entrant = new Entrant(contender, check, plan.cpuTime ? CLOCKS.cpu : CLOCKS.wall);
    const began = performance.now();
    let took = await entrant.time(input);
    if (took > UNBEARABLE_MS) {
      entrant.samples.set(-1, took); // no round has this number
      return entrant;
    }
    const enough = warmedUp.has(contender) ? plan.warmUpMs : plan.firstWarmUpMs;
    warmedUp.add(contender);
    while (performance.now() - began < enough) took = Math.min(took, await entrant.time(input));
    entrant.repeat = Math.ceil(plan.sampleMs / Math.max(took, 0.001)); // a clock may not have moved
    entrant.rounds = spread(Math.max(plan.fewest, Math.floor(plan.budgetMs / Math.max(plan.sampleMs, took))), plan.rounds);
    return entrant;
  }

  async sample(input, round) {
    if (this.rounds.has(round)) this.samples.set(round, await this.time(input));
  }

  times() {
    return [...this.samples.values()];
  }

  async time(input) {
    const { clock, contender, repeat } = this;
    // Only the young: a full collection throws optimised code away, and the next in line would pay for that.
    globalThis.gc?.({ type: "minor" });
    let result;
    const began = clock();
    for (let times = 0; times < repeat; times++) {
      result = contender.run(input);
      if (result instanceof Promise) result = await result;
    }
    const took = (clock() - began) / repeat;
    this.check(result);
    return contender.milliseconds?.(result) ?? took;
  }
}

/** Which of the rounds one takes part in who can only do so many. */
function spread(wanted, rounds) {
  const count = Math.min(wanted, rounds);
  return new Set(Array.from({ length: count }, (_, at) => Math.floor((at * rounds) / count)));
}

function rotated(list, by) {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

function quantile(values, fraction) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * fraction;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}
