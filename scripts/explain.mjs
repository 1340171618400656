// How a failure of the set-up or the build is shown.
import { CommandError } from "./run-command.mjs";

/** Runs `work`. When a program that it called fails, shows that program's output and ends the process. */
export async function orExplain(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(`${error.output.trimEnd()}\n\n${error.message}`);
    process.exit(1);
  }
}
