// npm run test:browser: the packed package under a content security policy, the page of the guide to chat pages, and all
// of the inspector, in the browsers that are installed. Without one it says so and passes. --only TEXT|TEXT runs what has one of these in its name.
import { requirePrerequisites } from "../../scripts/prerequisites.mjs";

requirePrerequisites();
const { setUp } = await import("../../scripts/setup.mjs");
const { orExplain } = await import("../../scripts/explain.mjs");
await orExplain(setUp);
const { build } = await import("../../scripts/build/steps.mjs");
await orExplain(build);

const { parseArgs } = await import("node:util");
const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const { ChromiumDriver, chromiumPath, withChromium } = await import("./drivers/chromium.mjs");
const { FirefoxDriver, firefoxPath, withFirefox } = await import("./drivers/firefox.mjs");
const { chatChecks } = await import("./chat.mjs");
const { checkPackage } = await import("./package.mjs");
const { pageChecks } = await import("./page/index.mjs");

const BROWSERS = [
  {
    name: "Chromium",
    path: chromiumPath(),
    missing: "there is no Chromium. Install it, or name one in CHROMIUM_PATH.",
    run: withChromium,
    open: (browser, options) => ChromiumDriver.open(browser, options),
    others: [{ name: "the packed package", run: checkPackage }],
  },
  {
    name: "Firefox",
    path: firefoxPath(),
    missing: "there is no Firefox. Install it, or name one in FIREFOX_PATH.",
    run: withFirefox,
    open: (browser) => FirefoxDriver.open(browser),
    others: [],
  },
];

/** A browser on a busy machine may be late: what fails is tried once more, in a page of its own, and it is said. */
async function passes(check, title) {
  for (const isLast of [false, true]) {
    try {
      await check.run();
      console.log(`✓ ${title}`);
      return true;
    } catch (error) {
      console.log(`${isLast ? "✗" : "… once more:"} ${title}\n${error.stack}`);
    }
  }
  return false;
}

const tally = { passed: 0, failed: 0, skipped: 0 };
const checks = await pageChecks();
for (const { name, path, missing, run, open, others } of BROWSERS) {
  if (path === undefined) {
    console.log(`Skipped: ${missing}`);
    tally.skipped += 1;
    continue;
  }
  await run(path, async (browser) => {
    const openPage = (options) => open(browser, options);
    const all = [...others.map((check) => ({ ...check, run: () => check.run(browser) })), ...chatChecks(openPage), ...checks.of(openPage)];
    for (const check of all) {
      const title = `${name}, ${check.name}`;
      if (!values.only.split("|").some((text) => title.includes(text))) continue;
      const passed = await passes(check, title);
      tally[passed ? "passed" : "failed"] += 1;
    }
  });
}
await checks.end();
console.log(`\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} browsers skipped`);
process.exitCode = tally.failed === 0 ? 0 : 1;
