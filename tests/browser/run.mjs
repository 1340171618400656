// npm run test:browser: the packed package under a content security policy, as it is and built by bundlers, the page of the
// guide to chat pages, and all of the inspector, in the browsers that are installed. Without one it says so and passes.
// Where the package ran has to be what api/runtimes.json says; --accept writes it there, and into docs/runtimes.md.
// --only TEXT|TEXT runs what has one of these in its name.
import "../../scripts/built.mjs";

const { parseArgs } = await import("node:util");
const { values } = parseArgs({ options: { only: { type: "string" }, accept: { type: "boolean", default: false } } });
const { ChromiumDriver, chromiumPath, withChromium } = await import("./drivers/chromium.mjs");
const { FirefoxDriver, firefoxPath, withFirefox } = await import("./drivers/firefox.mjs");
const { chatChecks } = await import("./chat.mjs");
const { packagePages } = await import("./package.mjs");
const { pageChecks } = await import("./page/index.mjs");
const { settle } = await import("../../scripts/test/runtimes/record.mjs");

const BROWSERS = [
  {
    name: "Chromium",
    path: chromiumPath(),
    missing: "there is no Chromium. Install it, or name one in CHROMIUM_PATH.",
    run: withChromium,
    open: (browser, options) => ChromiumDriver.open(browser, options),
  },
  {
    name: "Firefox",
    path: firefoxPath(),
    missing: "there is no Firefox. Install it, or name one in FIREFOX_PATH.",
    run: withFirefox,
    open: (browser) => FirefoxDriver.open(browser),
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
const outcomes = [];
const checks = await pageChecks();
const pages = packagePages();
for (const { name, path, missing, run, open } of BROWSERS) {
  if (path === undefined) {
    console.log(`Skipped: ${missing}`);
    tally.skipped += 1;
    outcomes.push(...pages.all.map((page) => ({ ...outcomeOf(page, name), result: "skipped" })));
    continue;
  }
  await run(path, async (browser) => {
    const newPage = (options) => open(browser, options);
    const version = (await browser.version()).replace(/^\D*/, "");
    const all = [
      ...pages.all.map((page) => ({ name: page.name, run: () => page.check(newPage), outcome: outcomeOf(page, name, version) })),
      ...chatChecks(newPage),
      ...checks.of(newPage),
    ];
    for (const check of all) {
      const title = `${name}, ${check.name}`;
      if (values.only !== undefined && !values.only.split("|").some((text) => title.includes(text))) continue;
      const result = (await passes(check, title)) ? "passed" : "failed";
      tally[result] += 1;
      if (check.outcome !== undefined) outcomes.push({ ...check.outcome, result });
    }
  });
}
await Promise.all([checks.end(), pages.end()]);
console.log(`\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} browsers skipped`);
const isSettled = settle("test:browser", outcomes, { accept: values.accept, isPart: values.only !== undefined });
process.exitCode = tally.failed === 0 && isSettled ? 0 : 1;

/** What is recorded of a page: the browser, or what built it. */
function outcomeOf({ bundler }, browser, version = "0") {
  if (bundler === undefined) return { runtime: browser, version, form: "a page without a bundler" };
  return { runtime: bundler.name, version: bundler.version, form: `a page in ${browser}` };
}
