// The Markdown of the project.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../paths.mjs";

/** The folders with pages, without their subfolders. */
const FOLDERS = [".", ".github", "docs", "tests/fixtures", "tests/fixtures/quirks"];

/** The paths of all pages, relative to the root. */
export const PAGES = FOLDERS.filter((folder) => existsSync(join(ROOT, folder))).flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => (folder === "." ? name : `${folder}/${name}`)),
);
