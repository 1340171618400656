// Checks the Markdown: form, links, spelling and style.
import { join } from "node:path";
import { whenChanged } from "../build/stamp.mjs";
import { ROOT } from "../paths.mjs";
import { CommandError, runCommand } from "../run-command.mjs";
import { PAGES } from "./markdown/files.mjs";

/** @type {(script: string, args?: string[]) => Promise<string>} */
const node = (script, args = []) => runCommand(process.execPath, [join(...script.split("/")), ...args], { cwd: ROOT });

/** The inputs of the checks, except for links, which also depend on their targets. */
const INPUTS = [
  ...PAGES,
  ...[".markdownlint-cli2.jsonc", "Cargo.toml", "cspell.json", "package-lock.json", "package.json", "scripts/test/markdown"],
];

/** @type {Record<string, () => Promise<unknown>>} */
const CHECKS = {
  links: () =>
    node("node_modules/remark-cli/cli.js", [
      ...["--frail", "--quiet", "--no-stdout", "--no-color", "--use", "remark-validate-links=repository:false"],
      ...PAGES,
    ]),
  form: ifChanged("form", () => node("node_modules/markdownlint-cli2/markdownlint-cli2-bin.mjs")),
  spelling: ifChanged("spelling", () => node("node_modules/cspell/bin.mjs", ["--no-progress", "--no-summary", "--no-color"])),
  prose: ifChanged("prose", () => node("scripts/test/markdown/prose.mjs")),
};

/** Rejects with all problems as `output`. */
export async function checkMarkdown() {
  const results = await Promise.allSettled(Object.values(CHECKS).map((check) => check()));
  const failures = Object.keys(CHECKS).flatMap((name, at) => {
    const result = results[at];
    return result?.status === "rejected" ? [{ name, text: textOf(result.reason) }] : [];
  });
  if (failures.length === 0) return;
  const names = failures.map(({ name }) => name).join(", ");
  throw new CommandError("the Markdown checks", `failed: ${names}`, failures.map(({ text }) => text).join("\n\n"));
}

/** @param {unknown} reason - why a check failed: the problems that it found, or an error in the check itself */
function textOf(reason) {
  if (reason instanceof CommandError) return reason.output.trimEnd();
  return reason instanceof Error ? String(reason.stack) : String(reason);
}

/**
 * @param {string} name
 * @param {() => Promise<unknown>} check
 */
function ifChanged(name, check) {
  return () => whenChanged(`markdown-${name}`, { inputs: INPUTS, outputs: [] }, check);
}
