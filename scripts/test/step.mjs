// One step of a check: how it is run, and the line that it has, with its output only when it fails.
import { MissingRuntime } from "./runtimes/missing.mjs";

/** Runs steps one after the other. */
export async function runInOrder(steps, tally) {
  for (const step of steps) await runStep(step, tally);
}

/** Runs a step, counts it in `tally` and resolves with how it ended: `"passed"`, `"failed"` or `"skipped"`. */
export async function runStep({ name, run }, tally) {
  const started = performance.now();
  const end = (result, mark, note = "") => {
    console.log(`${mark} ${name.padEnd(20)} ${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s${note}`);
    tally[result] += 1;
    return result;
  };
  try {
    const note = await run();
    return end("passed", "✓", typeof note === "object" ? `  ${note.note}` : "");
  } catch (error) {
    if (error instanceof MissingRuntime) return end("skipped", "-", `  skipped: ${error.message}`);
    const result = end("failed", "✗");
    console.log(indent(error.output === undefined ? String(error.stack) : `${error.output.trimEnd()}\n${error.message}`));
    return result;
  }
}

/** How many there were of each. */
export function summaryOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function indent(text) {
  return text.replace(/^/gm, "    ");
}
