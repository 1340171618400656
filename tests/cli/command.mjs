// Runs the command line as a process, as it ships.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../scripts/paths.mjs";

export const COMMAND = join(ROOT, "pkg", "cli", "respool.js");

/** Starts it; `ended` resolves with `{ code, signal, stdout, stderr }`. What tells colours is not taken over. */
export function start(args, { env = {}, stdio = ["pipe", "pipe", "pipe"], cwd = undefined } = {}) {
  const { FORCE_COLOR, NO_COLOR, CI, ...others } = process.env;
  const child = spawn(process.execPath, [COMMAND, ...args], { env: { ...others, ...env }, stdio, cwd });
  const written = { stdout: [], stderr: [] };
  for (const name of ["stdout", "stderr"]) child[name]?.on("data", (data) => written[name].push(data));
  child.stdin?.on("error", () => {}); // it need not read everything
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

/** A folder with these files, by name; it is gone when the tests are over. */
export function folderWith(files) {
  const folder = mkdtempSync(join(tmpdir(), "respool-cli-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = (name) => join(folder, name);
  for (const [name, content] of Object.entries(files)) writeFileSync(path(name), content);
  return path;
}

/** A chat stream of these pieces of text, as server-sent events. */
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
