// How the process ends before its time.
import { shownOn } from "./terminal.js";

/** Says what is wrong. The process ends by itself, once everything is written. */
export function failWith(exitCode, message) {
  complain(message);
  process.exitCode = exitCode;
}

export function complain(message) {
  process.stderr.write(`respool: ${shownOn(process.stderr, message)}\n`);
}

/** Runs `work` with a signal that Ctrl-C aborts. Who interrupts ends the process as if it had not listened. */
export async function untilInterrupted(work) {
  const interruption = new AbortController();
  const interrupt = (name) => {
    interruption.abort(name);
    process.removeAllListeners(name); // the next one ends it at once
  };
  for (const name of ["SIGINT", "SIGTERM"]) process.on(name, interrupt);
  const exitCode = await work(interruption.signal);
  if (interruption.signal.aborted) process.kill(process.pid, interruption.signal.reason);
  return exitCode;
}
