// Checks how the pages read: the length of sentences, weasel words, repeated words, and the phrases in idioms.yml.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { TextlintKernel } from "@textlint/kernel";
import { ROOT } from "../../paths.mjs";
import { PAGES } from "./files.mjs";

const require = createRequire(import.meta.url);
const load = (name) => require(name).default;

const OPTIONS = {
  plugins: [{ pluginId: "markdown", plugin: load("@textlint/textlint-plugin-markdown") }],
  rules: [
    {
      ruleId: "sentence-length",
      rule: load("textlint-rule-sentence-length"),
      // About 30 words. Code counts for nothing: it can't be shortened.
      options: { max: 200, skipPatterns: ["/`+[^`]*`+/"] },
    },
    {
      ruleId: "write-good",
      rule: load("textlint-rule-write-good"),
      options: {
        ...{ passive: false, adverb: false, tooWordy: false, eprime: false },
        whitelist: ["many", "few", "several", "completely", "so "],
      },
    },
    {
      ruleId: "idioms",
      rule: load("textlint-rule-prh"),
      options: { rulePaths: [join(ROOT, "scripts/test/markdown/idioms.yml")] },
    },
  ],
};

/** What is wrong, one line each: `path:line:column message`. */
async function checkPage(path) {
  const text = readFileSync(join(ROOT, path), "utf8");
  const { messages } = await new TextlintKernel().lintText(text, { filePath: join(ROOT, path), ext: ".md", ...OPTIONS });
  return messages.map(({ line, column, ruleId, message }) => `${path}:${line}:${column} ${ruleId}: ${message.split("\n")[0]}`);
}

const problems = (await Promise.all(PAGES.map(checkPage))).flat();
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
