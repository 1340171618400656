// Runs other programs and collects their output.
import { spawn } from "node:child_process";

/** A program that failed. `output` is what it printed; `isMissing` says that there is no such program. */
export class CommandError extends Error {
  constructor(command, status, output, { isMissing = false } = {}) {
    super(`${command} ${status}`);
    this.name = "CommandError";
    this.command = command;
    this.output = output;
    this.isMissing = isMissing;
  }
}

const running = new Set();
process.on("exit", () => running.forEach((child) => child.kill()));

/**
 * Runs `command` and resolves with what it printed on stdout. `onLine` gets each line of stdout and stderr as it
 * arrives. With `stdoutIsData`, stdout is meant for programs and isn't part of an error.
 * Rejects with a CommandError if the program is missing, fails, or is ended by a signal.
 */
export function runCommand(command, args, { cwd, env, onLine, stdoutIsData = false } = {}) {
  return new Promise((resolve, reject) => {
    const shown = [command, ...args].join(" ");
    const child = spawn(command, args, {
      cwd,
      env: env === undefined ? process.env : { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // npm is a command script there, which only a shell can start.
      shell: process.platform === "win32",
    });
    running.add(child);
    let stdout = "";
    let output = "";
    let line = "";
    const take = (text) => {
      output += text;
      if (onLine === undefined) return;
      const lines = (line + text).split("\n");
      line = lines.pop();
      lines.forEach((each) => onLine(each));
    };
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      if (!stdoutIsData) take(text);
    });
    child.stderr.setEncoding("utf8").on("data", take);
    child.on("error", (error) => {
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
