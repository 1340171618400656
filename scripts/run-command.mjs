// Runs other programs, keeping their output until somebody wants to see it.
import { spawn } from "node:child_process";

/** A program that failed; `output` is what it wrote for people to read. */
export class CommandError extends Error {
  constructor(command, status, output) {
    super(`${command} ${status}`);
    this.name = "CommandError";
    this.output = output;
  }
}

/**
 * Runs `command` to its end and resolves with what it wrote on stdout. `onLine` sees each line of stdout and
 * stderr as it comes. `stdoutIsData` says that stdout is for programs: nobody wants to see it in an error.
 * Rejects with a CommandError when the program is missing, fails, or is ended by a signal.
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
    child.on("error", (error) => reject(new CommandError(shown, `did not start: ${error.message}`, output)));
    child.on("close", (code, signal) => {
      if (code === 0) resolve(stdout);
      else reject(new CommandError(shown, signal === null ? `failed with exit code ${code}` : `was ended by ${signal}`, output));
    });
  });
}
