// Runs one step of the checks and prints a line for it, with its output only if it fails.
import { whenChanged } from "../build/stamp.mjs";
import { explanationOf } from "../explain.mjs";
import { CommandError } from "../run-command.mjs";
import { MissingRuntime } from "./runtimes/missing.mjs";

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {() => unknown} run may resolve with `{ note }`, which is printed, and rejects if the step fails
 * @property {(() => string[] | undefined) | undefined} [inputs] the files and folders that the result depends on, besides scripts/, the installed
 *   packages and Node: a step that has passed runs again once they change
 */

/** @typedef {"passed" | "failed" | "skipped"} Result */

/** The number of steps with each result. @typedef {Record<Result, number>} Tally */

/** Runs steps one after the other. @param {Step[]} steps @param {Tally} tally */
export async function runInOrder(steps, tally) {
  for (const step of steps) await runStep(step, tally);
}

/**
 * Runs a step and counts its result in `tally`.
 *
 * @param {Step} step
 * @param {Tally} tally
 * @returns {Promise<Result>}
 */
export async function runStep({ name, run, inputs }, tally) {
  const started = performance.now();
  /** @param {Result} result @param {string} mark */
  const end = (result, mark, note = "") => {
    console.log(`${mark} ${name.padEnd(20)} ${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s${note}`);
    tally[result] += 1;
    return result;
  };
  try {
    const files = isForced() ? undefined : inputs?.();
    const outcome = files ? await unlessUnchanged(name, files, run) : await run();
    const hasNote = typeof outcome === "object" && outcome !== null && "note" in outcome;
    return end("passed", "✓", hasNote ? `  ${outcome.note}` : "");
  } catch (error) {
    if (error instanceof MissingRuntime) return end("skipped", "-", `  skipped: ${error.message}`);
    const result = end("failed", "✗");
    console.log(indent(describe(error)));
    return result;
  }
}

/** `npm test -- --all` also runs steps that have passed. */
const isForced = () => process.argv.includes("--all");

/** @param {string} name @param {string[]} inputs @param {Step["run"]} run */
async function unlessUnchanged(name, inputs, run) {
  const all = [...inputs, "scripts", "package.json", "package-lock.json"];
  let note = "unchanged since it passed";
  const outcome = await whenChanged(`check ${name} ${process.version}`, { inputs: all, outputs: [] }, () => {
    note = "";
    return run();
  });
  return note === "" ? outcome : { note };
}

/** @param {Tally} tally */
export function summaryOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** Returns the output of a failed program, or the stack. @param {unknown} error */
function describe(error) {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CommandError) return explanationOf(error);
  return "output" in error ? `${String(error.output).trimEnd()}\n${error.message}` : String(error.stack);
}

/** @param {string} text */
function indent(text) {
  return text.replace(/^/gm, "    ");
}
