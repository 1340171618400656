// node scripts/check-markdown.mjs: checks the Markdown alone, as npm test does.
import { checkMarkdown } from "./test/markdown.mjs";

try {
  await checkMarkdown();
} catch (error) {
  console.error(`${error.output}\n\n${error.message}`);
  process.exitCode = 1;
}
