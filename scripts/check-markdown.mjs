// node scripts/check-markdown.mjs: checks the Markdown alone, as npm test does.
import { CommandError } from "./run-command.mjs";
import { checkMarkdown } from "./test/markdown.mjs";

try {
  await checkMarkdown();
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  console.error(`${error.output}\n\n${error.message}`);
  process.exitCode = 1;
}
