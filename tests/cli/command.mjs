// Runs the command line as a process, as it ships.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../scripts/paths.mjs";

export const COMMAND = join(ROOT, "pkg", "cli", "respool.js");

/** Starts the command without the variables that control colours; `ended` resolves with `{ code, signal, stdout, stderr }`. */
export function start(args, { env = {}, stdio = ["pipe", "pipe", "pipe"], cwd = undefined } = {}) {
  const { FORCE_COLOR, NO_COLOR, CI, ...others } = process.env;
  const child = spawn(process.execPath, [COMMAND, ...args], { env: { ...others, ...env }, stdio, cwd });
  const written = { stdout: [], stderr: [] };
  for (const name of ["stdout", "stderr"]) child[name]?.on("data", (data) => written[name].push(data));
  child.stdin?.on("error", () => {}); // the command may exit before it has read everything
  const ended = new Promise((resolve, reject) => {
    child.on("error", reject).on("close", (code, signal) => {
      const text = (name) => Buffer.concat(written[name]).toString();
      resolve({ code, signal, stdout: text("stdout"), stderr: text("stderr") });
    });
  });
  return { child, ended };
}

/** Runs the command with this standard input. */
export function run(args, input = "", options = undefined) {
  const { child, ended } = start(args, options);
  child.stdin.end(input);
  return ended;
}

/** Creates a folder with these files, by name. It is deleted after the tests. */
export function folderWith(files) {
  const folder = mkdtempSync(join(tmpdir(), "respool-cli-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = (name) => join(folder, name);
  for (const [name, content] of Object.entries(files)) writeFileSync(path(name), content);
  return path;
}

/** Returns a chat stream with these text deltas, as server-sent events. */
export const chatStream = (pieces, { ends = true } = {}) =>
  [
    ...pieces.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
    ...(ends ? [{ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }] : []),
  ]
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join("");

export const chatBody = (content, more) => ({
  object: "chat.completion",
  model: "gpt-4.1-mini",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  ...more,
});

export const toLines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

export const fromLines = (text) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
