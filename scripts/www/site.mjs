// npm run www:build: the inspector as files for any static host, in site/.
import { requirePrerequisites } from "../prerequisites.mjs";

requirePrerequisites();
const { setUp } = await import("../setup.mjs");
const { orExplain } = await import("../explain.mjs");
await orExplain(setUp);
const { build } = await import("../build/steps.mjs");
await orExplain(build);

const { cpSync, mkdirSync, rmSync } = await import("node:fs");
const { join } = await import("node:path");
const { ROOT } = await import("../paths.mjs");
const { PAGE, bundlePage } = await import("./bundle.mjs");

const site = join(ROOT, "site");
await bundlePage();
rmSync(site, { recursive: true, force: true });
mkdirSync(site);
for (const part of ["index.html", "icon.svg", "dist"]) cpSync(join(PAGE, part), join(site, part), { recursive: true });
console.log("The page is in site/: put it on any host.");
