// Every example of README.md does what it says, and has the right types.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe } from "node:test";
import { ROOT } from "../../scripts/paths.mjs";
import { testSnippets } from "./snippets.mjs";

describe("README.md", () => testSnippets(readFileSync(join(ROOT, "README.md"), "utf8"), "readme", 8));
