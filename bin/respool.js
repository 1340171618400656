#!/usr/bin/env node
// The command line: see --help. Exit codes: 0 complete, 1 failed or truncated, 2 wrong usage.
import { HELP, UsageError, readArguments } from "./arguments.js";
import { version } from "../package.json";
import { failWith, untilInterrupted } from "./ending.js";
import { Output } from "./output.js";

const output = new Output(process.stdout);

try {
  const options = readArguments(process.argv.slice(2), process.stdin);
  if (options.help) await output.write(HELP);
  else if (options.version) await output.write(`${version}\n`);
  else process.exitCode = await untilInterrupted(async (signal) => (await import("./run.js")).run(options, output, signal));
} catch (error) {
  const { code, message, stack } = /** @type {NodeJS.ErrnoException} */ (error);
  if (error instanceof UsageError) failWith(2, `${message}\nTry 'respool --help'.`);
  else failWith(1, code ? message : (stack ?? message));
}
