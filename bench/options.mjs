// What the command line says.
import { parseArgs } from "node:util";

export const USAGE = `npm run bench -- [options]

  --filter TEXT      only cases whose name has this in it; may be given several times
  --against TEXT     only contenders whose name has this in it, and respool; may be given several times
  --rounds COUNT     how often everything is timed (11, with --quick 3)
  --quick            fewer and shorter rounds
  --cpu-time         counts the time of the processor and not of the clock: for a machine that is busy otherwise
  --check            compares the answers on small inputs, and times nothing
  --markdown         only the cases in docs/benchmarks.md, and their table at the end
  --json FILE        also writes all numbers to a file
`;

/** @throws {TypeError} with a message for the user */
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
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new TypeError("--rounds has to be a whole number above 0");
  const effort = quick
    ? { fewest: 2, sampleMs: 2, firstWarmUpMs: 150, warmUpMs: 10, budgetMs: 50 }
    : { fewest: 5, sampleMs: 5, firstWarmUpMs: 2000, warmUpMs: 200, budgetMs: 600 };
  return { ...others, plan: { rounds, cpuTime, ...effort } };
}
