// Runs other programs and collects their output.
import { spawn } from "node:child_process";

/** A program that failed. `output` is what it printed; `isMissing` means that the program doesn't exist. */
export class CommandError extends Error {
  /** @param {string} command @param {string} status @param {string} output */
  constructor(command, status, output, { isMissing = false } = {}) {
    super(`${command} ${status}`);
    this.name = "CommandError";
    this.command = command;
    this.output = output;
    this.isMissing = isMissing;
  }
}

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
process.on("exit", () => {
  for (const child of running) child.kill();
});

/**
 * @typedef {object} CommandOptions
 * @property {string} [cwd]
 * @property {Record<string, string>} [env] added to the environment of this process
 * @property {((line: string) => void) | undefined} [onLine] gets each line of stdout and stderr as it arrives
 * @property {boolean} [stdoutIsData] stdout is meant for programs and isn't part of an error
 */

/**
 * Runs `command` and resolves with its stdout. Rejects with a CommandError if the program is missing, fails, or is ended by
 * a signal.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<string>}
 */
export function runCommand(command, args, { cwd, env, onLine, stdoutIsData = false } = {}) {
  return new Promise((resolve, reject) => {
    const shown = [command, ...args].join(" ");
    const child = spawn(command, args, {
      cwd,
      env: env === undefined ? process.env : { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // On Windows, npm is a command script, which only a shell can start.
      shell: process.platform === "win32",
    });
    running.add(child);
    let stdout = "";
    let output = "";
    let line = "";
    /** @param {string} text */
    const take = (text) => {
      output += text;
      if (onLine === undefined) return;
      const lines = (line + text).split("\n");
      line = lines.pop() ?? "";
      for (const each of lines) onLine(each);
    };
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      if (!stdoutIsData) take(text);
    });
    child.stderr.setEncoding("utf8").on("data", take);
    child.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      running.delete(child);
      reject(new CommandError(shown, `did not start: ${error.message}`, output, { isMissing: error.code === "ENOENT" }));
    });
    child.on("close", (code, signal) => {
      running.delete(child);
      if (code === 0) resolve(stdout);
      else reject(new CommandError(shown, signal === null ? `failed with exit code ${code}` : `was ended by ${signal}`, output));
    });
  });
}
