// npm run test:browser: tests the packed package under a content security policy, plain and bundled, the chat pages of
// the guides, and the inspector, in each installed browser. It skips missing browsers with a message, and compares the outcomes
// with api/runtimes.json.
//
//   npm run test:browser -- --accept           writes the outcomes to api/runtimes.json and docs/runtimes.md
//   npm run test:browser -- --only TEXT|TEXT   runs only names that contain one of these
import "../../scripts/built.mjs";

const { parseArgs } = await import("node:util");
const { values } = parseArgs({ options: { only: { type: "string" }, accept: { type: "boolean", default: false } } });
const { chromiumPath, openChromium, withChromium } = await import("./drivers/chromium.mjs");
const { firefoxPath, openFirefox, withFirefox } = await import("./drivers/firefox.mjs");
const { chatChecks } = await import("./chat.mjs");
const { failureChecks } = await import("./failures.mjs");
const { packagePages } = await import("./package.mjs");
const { reactChecks } = await import("./react.mjs");
const { pageChecks } = await import("./page/index.mjs");
const { MissingRuntime } = await import("../../scripts/test/runtimes/missing.mjs");
const { settle } = await import("../../scripts/test/runtimes/record.mjs");

const BROWSERS = [
  {
    name: "Chromium",
    path: chromiumPath(),
    missing: "Chromium isn't installed. Install it, or set CHROMIUM_PATH.",
    run: withChromium,
    open: openChromium,
  },
  {
    name: "Firefox",
    path: firefoxPath(),
    missing: "Firefox isn't installed. Install it, or set FIREFOX_PATH.",
    run: withFirefox,
    open: openFirefox,
  },
];

/** @returns {Promise<"passed" | "failed" | "skipped">} */
async function resultOf(check, title, isAgain) {
  try {
    await check.run();
    console.log(`✓ ${title}`);
    return "passed";
  } catch (error) {
    if (error instanceof MissingRuntime) {
      console.log(`- ${title}, skipped: ${error.message}`);
      return "skipped";
    }
    console.log(`${isAgain ? "✗" : "… once more later:"} ${title}\n${error.stack}`);
    return "failed";
  }
}

const checks = await pageChecks();
const pages = packagePages();

/**
 * Runs checks in a browser.
 *
 * @param {(typeof BROWSERS)[number] & { turn: { at: number, of: number } }} browser
 * @param {((title: string) => boolean) | undefined} isLate chooses the checks that run once more; all run if missing
 * @returns {Promise<Map<string, { result: "passed" | "failed" | "skipped", outcome?: object }>>} by title, with what to record
 */
async function checkIn({ name, path, run, open, turn }, isLate) {
  const results = new Map();
  await run(path, async (browser) => {
    const newPage = () => open(browser);
    const version = (await browser.version()).replace(/^\D*/, "");
    const all = [
      ...pages.all.map((page) => ({ name: page.name, run: () => page.check(newPage), outcome: outcomeOf(page, name, version) })),
      ...chatChecks(newPage),
      ...reactChecks(newPage),
      ...failureChecks(newPage),
      ...checks.of(newPage, turn),
    ];
    for (const check of all) {
      const title = `${name}, ${check.name}`;
      if (values.only !== undefined && !values.only.split("|").some((text) => title.includes(text))) continue;
      if (isLate !== undefined && !isLate(title)) continue;
      results.set(title, { result: await resultOf(check, title, isLate !== undefined), outcome: check.outcome });
    }
  });
  return results;
}

const missing = BROWSERS.filter(({ path }) => path === undefined);
for (const browser of missing) console.log(`Skipped: ${browser.missing}`);
const outcomes = missing.flatMap(({ name }) => pages.all.map((page) => ({ ...outcomeOf(page, name), result: "skipped" })));

// The browsers run in parallel, because the checks mostly wait for them. Failed checks run once more, alone: a browser on a
// busy machine may be late.
const installed = BROWSERS.filter(({ path }) => path !== undefined).map((browser, at, { length }) => ({
  ...browser,
  turn: { at, of: length },
}));
const all = await Promise.all(installed.map((browser) => checkIn(browser)));
for (const [at, browser] of installed.entries()) {
  const isLate = (title) => all[at].get(title)?.result === "failed";
  if (![...all[at].keys()].some(isLate)) continue;
  for (const [title, result] of await checkIn(browser, isLate)) all[at].set(title, result);
}
await Promise.all([checks.end(), pages.end()]);

const tally = { passed: 0, failed: 0, skipped: 0 };
for (const { result, outcome } of all.flatMap((results) => [...results.values()])) {
  tally[result] += 1;
  if (outcome !== undefined) outcomes.push({ ...outcome, result });
}
console.log(`\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped, ${missing.length} browsers skipped`);
const isSettled = settle("test:browser", outcomes, { accept: values.accept, isPart: values.only !== undefined });
process.exitCode = tally.failed === 0 && isSettled ? 0 : 1;

/** Returns the entry to record for a page: the browser, or the bundler. */
function outcomeOf({ bundler, form }, browser, version = "0") {
  if (bundler === undefined) return { runtime: browser, version, form };
  return { runtime: bundler.name, version: bundler.version, form: `a page in ${browser}` };
}
