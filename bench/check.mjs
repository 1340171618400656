// Checks that all contenders return the same result, before anything is timed.
import { formatWithOptions, isDeepStrictEqual } from "node:util";

/** Thrown when a contender's result differs from the workload's. */
export class WrongResult extends Error {}

/** @import { Contender } from "./contenders/index.mjs" */
/** @import { Case } from "./workloads/index.mjs" */

/** Returns the contenders that can read a case's input. @param {Contender[]} contenders @param {Case} benchCase */
export function entrantsFor(contenders, { name, takes }) {
  return contenders.filter((contender) => contender.takes === takes && name.startsWith(contender.only ?? ""));
}

/**
 * Runs a case once with every contender that can read its input.
 *
 * @param {Case} benchCase
 * @param {Contender[]} contenders
 * @param {number} scale
 */
export async function checkCase(benchCase, contenders, scale) {
  const { input, expected } = benchCase.make(scale);
  for (const contender of entrantsFor(contenders, benchCase)) {
    checkResult(benchCase, contender, await contender.run(input), expected);
  }
}

/**
 * @param {Case} benchCase
 * @param {Contender} contender
 * @param {unknown} result
 * @param {object} expected
 * @throws {WrongResult} if the result differs from the expected one
 */
export function checkResult(benchCase, contender, result, expected) {
  const actual = new Map(Object.entries(contender.outcome(result)));
  for (const [member, value] of Object.entries(expected)) {
    if (isDeepStrictEqual(actual.get(member), value)) continue;
    throw new WrongResult(
      `${benchCase.name}: ${contender.name} returned another ${member}.\n  expected ${shown(value)}\n  received ${shown(actual.get(member))}`,
    );
  }
}

/** @param {unknown} value */
function shown(value) {
  const text = formatWithOptions({ breakLength: Infinity, depth: 4, maxStringLength: 200, maxArrayLength: 8 }, "%O", value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
