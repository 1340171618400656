// Checks the Markdown: its form, its links, its spelling, and how it reads.
import { join } from "node:path";
import { whenChanged } from "../build/stamp.mjs";
import { ROOT } from "../paths.mjs";
import { runCommand } from "../run-command.mjs";
import { PAGES } from "./markdown/files.mjs";

const node = (script, args = []) => runCommand(process.execPath, [join(...script.split("/")), ...args], { cwd: ROOT });

/** What the checks of a text depend on; links also depend on what they lead to. */
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

/** Rejects with everything that the checks have found. */
export async function checkMarkdown() {
  const results = await Promise.allSettled(Object.values(CHECKS).map((check) => check()));
  const names = Object.keys(CHECKS).filter((_, index) => results[index].status === "rejected");
  if (names.length === 0) return;
  const error = new Error(`the Markdown has problems: ${names.join(", ")}`);
  const reasons = results.filter(({ status }) => status === "rejected").map(({ reason }) => reason);
  error.output = reasons.map(({ output, stack }) => (output ?? stack).trimEnd()).join("\n\n");
  throw error;
}

function ifChanged(name, check) {
  return () => whenChanged(`markdown-${name}`, { inputs: INPUTS, outputs: [] }, check);
}
