// Times contenders against each other: in rounds, each in turn, so that whatever slows the machine slows all of them.
import { checkAnswer } from "./check.mjs";

/**
 * @typedef {object} Plan
 * @property {number} rounds how often each is timed
 * @property {number} sampleMs how long one sample takes at the least: what is faster is repeated
 * @property {number} warmUpMs how long each runs before it is timed
 * @property {number} budgetMs what one contender may take in one case; slow ones sit rounds out
 */

/** Measures a case with the contenders that can take it; the first is the reference. */
export async function measureCase(benchCase, contenders, plan) {
  const { input, expected, units, bytes } = benchCase.make(1);
  const entrants = [];
  for (const contender of contenders) {
    const check = (result) => checkAnswer(benchCase, contender, result, expected);
    entrants.push(await Entrant.warmUp(contender, input, check, plan));
  }
  for (let round = 0; round < plan.rounds; round++) {
    for (const entrant of rotated(entrants, round)) await entrant.sample(input, round);
  }
  const [reference] = entrants;
  return {
    name: benchCase.name,
    unit: benchCase.unit,
    units,
    bytes,
    contenders: entrants.map((entrant) => ({
      name: entrant.contender.name,
      over: entrant.contender.over,
      nanoseconds: (quantile(entrant.times(), 0.5) * 1e6) / units,
      megabytesPerSecond: bytes && bytes / quantile(entrant.times(), 0.5) / 1000,
      samples: entrant.times().length,
      ratio: ratioTo(reference, entrant),
    })),
  };
}

/** How many times as long as the reference, with the middle half. */
export function ratioTo(reference, entrant) {
  if (entrant === reference) return undefined;
  const usual = quantile(reference.times(), 0.5);
  const ratios = Array.from(entrant.samples, ([round, time]) => time / (reference.samples.get(round) ?? usual));
  return { median: quantile(ratios, 0.5), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
}

/** A contender in a case. */
class Entrant {
  /** Milliseconds for one run, by round. @type {Map<number, number>} */
  samples = new Map();

  constructor(contender, check, { repeat, rounds }) {
    this.contender = contender;
    this.check = check;
    this.repeat = repeat;
    this.rounds = rounds;
  }

  static async warmUp(contender, input, check, { rounds, sampleMs, warmUpMs, budgetMs }) {
    const entrant = new Entrant(contender, check, { repeat: 1, rounds: new Set() });
    const began = performance.now();
    let took = await entrant.time(input);
    if (took > budgetMs) {
      entrant.samples.set(-1, took); // So slow that the first time has to do; no round has this number.
      return entrant;
    }
    while (performance.now() - began < warmUpMs) took = Math.min(took, await entrant.time(input));
    entrant.repeat = Math.ceil(sampleMs / took);
    entrant.rounds = spread(Math.max(1, Math.floor(budgetMs / (took * entrant.repeat))), rounds);
    return entrant;
  }

  async sample(input, round) {
    if (this.rounds.has(round)) this.samples.set(round, await this.time(input));
  }

  times() {
    return [...this.samples.values()];
  }

  async time(input) {
    const { contender, repeat } = this;
    globalThis.gc?.();
    let result;
    const began = performance.now();
    for (let times = 0; times < repeat; times++) {
      result = contender.run(input);
      if (result instanceof Promise) result = await result;
    }
    const took = performance.now() - began;
    this.check(result);
    return took / repeat;
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
