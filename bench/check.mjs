// Nothing is timed before everybody has come to the same answer.
import { formatWithOptions, isDeepStrictEqual } from "node:util";

/** Thrown when a contender's answer is not what the workload says. */
export class WrongAnswer extends Error {}

/** Those who can take a case. */
export function takers(contenders, { takes }) {
  return contenders.filter((contender) => contender.takes === takes);
}

/** Runs a case once with everybody who can take it. */
export async function checkCase(benchCase, contenders, scale) {
  const { input, expected } = benchCase.make(scale);
  for (const contender of takers(contenders, benchCase)) {
    checkAnswer(benchCase, contender, await contender.run(input), expected);
  }
}

/** @throws {WrongAnswer} if what a contender came to is not what was expected */
export function checkAnswer(benchCase, contender, result, expected) {
  const actual = contender.outcome(result);
  for (const [member, value] of Object.entries(expected)) {
    if (isDeepStrictEqual(actual[member], value)) continue;
    throw new WrongAnswer(
      `${benchCase.name}: ${contender.name} has another ${member}.\n  expected ${shown(value)}\n  came to  ${shown(actual[member])}`,
    );
  }
}

function shown(value) {
  const text = formatWithOptions({ breakLength: Infinity, depth: 4, maxStringLength: 200, maxArrayLength: 8 }, "%O", value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
