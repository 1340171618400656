// Every example in the documentation comments of the interface does what it says, and has the right types.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe } from "node:test";
import { ROOT } from "../../scripts/paths.mjs";
import { testSnippets, withoutStars } from "./snippets.mjs";

describe("js/api.d.ts", () => testSnippets(withoutStars(readFileSync(join(ROOT, "js", "api.d.ts"), "utf8")), "api", 6));
