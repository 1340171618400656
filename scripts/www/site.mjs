// npm run www:build: the inspector as files for any static host, in site/.
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import "../built.mjs";
import { ROOT } from "../paths.mjs";

const { PAGE, bundlePage } = await import("./bundle.mjs");

const site = join(ROOT, "site");
await bundlePage();
rmSync(site, { recursive: true, force: true });
mkdirSync(site);
for (const part of ["index.html", "icon.svg", "dist"]) cpSync(join(PAGE, part), join(site, part), { recursive: true });
console.log("The inspector is in site/, ready for any static host.");
