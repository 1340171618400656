// npm run test:browser: the packed package in an installed Chromium, under a content security policy, and a walk
// through the page. Without a browser it says so and passes.
import { existsSync } from "node:fs";
import { requirePrerequisites } from "../../scripts/prerequisites.mjs";

requirePrerequisites();
const browser = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
  .filter((path) => path !== undefined)
  .find((path) => existsSync(path));
if (browser === undefined) {
  console.log("Skipped: there is no Chromium. Install it, or name one in CHROMIUM_PATH.");
  process.exit(0);
}

const { setUp } = await import("../../scripts/setup.mjs");
const { orExplain } = await import("../../scripts/explain.mjs");
await orExplain(setUp);
const { build } = await import("../../scripts/build/steps.mjs");
await orExplain(build);

const { withChromium } = await import("./chromium.mjs");
const { checkPackage } = await import("./package.mjs");
const { checkPage } = await import("./page.mjs");
let failed = 0;
await withChromium(browser, async (chromium) => {
  for (const [name, check] of [["package", checkPackage], ["page", checkPage]]) {
    try {
      await check(chromium);
      console.log(`✓ Chromium, ${name}`);
    } catch (error) {
      console.log(`✗ Chromium, ${name}\n${error.stack}`);
      failed += 1;
    }
  }
});
console.log(`\n${2 - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
