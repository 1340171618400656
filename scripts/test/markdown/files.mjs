// The Markdown of the project.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../paths.mjs";

/** Folders with pages, and the folder whose own pages are read. */
const FOLDERS = [".", ".github", "docs", "tests/fixtures"];

/** The paths of all pages from the root. */
export const PAGES = FOLDERS.filter((folder) => existsSync(join(ROOT, folder))).flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => (folder === "." ? name : `${folder}/${name}`)),
);
