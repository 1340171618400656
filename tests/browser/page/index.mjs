// The checks of the inspector. Each runs in its own page, and fails on any console error.
import assert from "node:assert/strict";
import { bundlePage, PAGE } from "../../../scripts/www/bundle.mjs";
import { serve } from "../../../scripts/www/serve.mjs";
import accessibility from "./accessibility.mjs";
import capture from "./capture.mjs";
import answer from "./answer.mjs";
import playground from "./playground.mjs";
import replay from "./replay.mjs";
import results from "./results.mjs";
import links from "./links.mjs";
import start from "./start.mjs";
import timeline from "./timeline.mjs";
import translation from "./translation.mjs";
import verdict from "./verdict.mjs";
import workspace from "./workspace.mjs";

const CHECKS = [
  ...start,
  ...verdict,
  ...capture,
  ...timeline,
  ...workspace,
  ...links,
  ...answer,
  ...replay,
  ...results,
  ...translation,
  ...playground,
  ...accessibility,
];

/**
 * Bundles and serves the page once. `of` returns the checks for a browser in which `open` opens a page. `turn` has the index
 * of the browser and their number, because some checks need to run in only one of them.
 */
export async function pageChecks() {
  await bundlePage();
  const server = await serve(PAGE);
  return {
    of: (open, turn) =>
      CHECKS.map(({ name, run, allows = () => false }) => ({
        name,
        run: () => check(open, (driver) => run(driver, { origin: server.origin, open, turn }), server.origin, allows),
      })),
    end: () => server.close(),
  };
}

async function check(open, run, origin, allows) {
  const driver = await open();
  try {
    await driver.resize(1280, 900);
    await driver.goto(origin);
    await run(driver);
    assert.deepEqual(
      driver.complaints.filter((complaint) => !allows(complaint)),
      [],
    );
  } finally {
    await driver.close();
  }
}
