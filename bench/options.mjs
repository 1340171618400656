// The options of the command line.
import { parseArgs } from "node:util";

export const USAGE = `npm run bench -- [options]

  --filter TEXT      only cases whose name contains TEXT; can be repeated
  --against TEXT     only contenders whose name contains TEXT, and respool; can be repeated
  --rounds COUNT     number of rounds (default 11, or 3 with --quick)
  --quick            fewer and shorter rounds
  --cpu-time         measure processor time instead of elapsed time: for a busy machine
  --check            only compare the results on small inputs
  --markdown         only the cases in docs/benchmarks.md; prints their table at the end
  --json FILE        also write all numbers to FILE
`;

/** @typedef {ReturnType<typeof readOptions>} Options */

/** @param {string[]} args @throws {TypeError} with a message for the user */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      filter: { type: "string", multiple: true, default: [] },
      against: { type: "string", multiple: true, default: [] },
      rounds: { type: "string" },
      quick: { type: "boolean", default: false },
      "cpu-time": { type: "boolean", default: false },
      check: { type: "boolean", default: false },
      markdown: { type: "boolean", default: false },
      json: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const { rounds: given, quick, "cpu-time": cpuTime, ...others } = values;
  const rounds = given === undefined ? (quick ? 3 : 11) : Number(given);
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new TypeError("--rounds must be a whole number above 0");
  // Right after another contender, the caches are cold and the heap is larger: if a run takes
  // a millisecond, a sample of a few milliseconds measures mostly that.
  const effort = quick
    ? { fewest: 2, sampleMs: 2, firstWarmUpMs: 150, warmUpMs: 10, budgetMs: 50 }
    : { fewest: 5, sampleMs: 50, firstWarmUpMs: 2000, warmUpMs: 200, budgetMs: 600 };
  return { ...others, plan: { rounds, cpuTime, ...effort } };
}
