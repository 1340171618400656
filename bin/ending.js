// Prints errors, and handles interruptions.
import { shownOn } from "./terminal.js";

process.stderr.on("error", () => {}); // answers are still printed if nobody reads the errors

/**
 * Prints an error and sets the exit code. The process ends once everything is written.
 *
 * @param {number} exitCode
 * @param {string} message
 */
export function failWith(exitCode, message) {
  printError(message);
  process.exitCode = exitCode;
}

/** @param {string} message */
export function printError(message) {
  process.stderr.write(`respool: ${shownOn(process.stderr, message)}\n`);
}

/**
 * Runs `work` with a signal that Ctrl-C aborts. An interrupted process still ends with that signal.
 *
 * @param {(signal: AbortSignal) => Promise<number>} work
 */
export async function untilInterrupted(work) {
  const interruption = new AbortController();
  const interrupt = (/** @type {NodeJS.Signals} */ name) => {
    interruption.abort(name);
    process.removeAllListeners(name); // a second signal ends the process at once
  };
  for (const name of ["SIGINT", "SIGTERM"]) process.on(name, interrupt);
  const exitCode = await work(interruption.signal);
  if (interruption.signal.aborted) process.kill(process.pid, interruption.signal.reason);
  return exitCode;
}
