// Checks the Markdown: form, links, spelling and style.
import { join } from "node:path";
import { whenChanged } from "../build/stamp.mjs";
import { ROOT } from "../paths.mjs";
import { runCommand } from "../run-command.mjs";
import { PAGES } from "./markdown/files.mjs";

/** @param {string} script @param {string[]} args */
const node = (script, args = []) => runCommand(process.execPath, [join(...script.split("/")), ...args], { cwd: ROOT });

/** The inputs of the checks, except for links, which also depend on their targets. */
const INPUTS = [
  ...PAGES,
  ...[".markdownlint-cli2.jsonc", "Cargo.toml", "cspell.json", "package-lock.json", "package.json", "scripts/test/markdown"],
];

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
  const names = Object.keys(CHECKS).filter((_, index) => results[index].status === "rejected");
  if (names.length === 0) return;
  const reasons = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  const output = reasons.map((reason) => String(reason.output ?? reason.stack).trimEnd()).join("\n\n");
  throw Object.assign(new Error(`the Markdown has problems: ${names.join(", ")}`), { output });
}

/** @param {string} name @param {() => Promise<unknown>} check */
function ifChanged(name, check) {
  return () => whenChanged(`markdown-${name}`, { inputs: INPUTS, outputs: [] }, check);
}
