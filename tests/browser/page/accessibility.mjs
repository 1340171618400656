// axe finds no serious violations in either theme, wide or narrow, and nothing overflows a small screen.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { openSample } from "./input.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function audit(driver, state) {
  const found = await driver.evaluate(async () => {
    // A colour in transition isn't the theme's. Cancelled animations reject.
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      where: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }));
  });
  assert.deepEqual(
    found.filter(({ impact }) => impact === "serious" || impact === "critical"),
    [],
    state,
  );
}

async function fits(driver, state) {
  const [needed, available] = await driver.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(needed <= available, `${state}: ${needed} px wide, on ${available} px`);
}

/** Visits every state of the page. */
async function walk(driver, visit) {
  await visit("empty");
  await driver.click("button", "Playground");
  await visit("playground");
  await driver.click("button", "Playground");
  await driver.click(".source button", "Paste");
  await visit("paste");
  await driver.click(".source button", "Paste");
  await openSample(driver, "Anthropic");
  await driver.click(".timeline [role=option]", "message_start");
  for (const tab of ["Result", "process()", "Over time", "Chunk size"]) {
    await driver.click("[role=tab]", tab);
    await visit(tab);
  }
  for (const sample of ["Responses", "Cut off", "A refusal", "A batch"]) {
    await driver.choose("select", "Sample", sample);
    await driver.find(".timeline");
    await visit(sample);
  }
}

const THEMES = ["light", "dark"];

export default THEMES.flatMap((theme) =>
  [1280, 360].map((width) => ({
    name: `axe, ${theme}, ${width} px wide`,
    async run(driver) {
      await driver.evaluate(`${AXE}; void 0`);
      await driver.resize(width, 800);
      for (let presses = 0; presses <= THEMES.indexOf(theme); presses++) await driver.click("button", "change to");
      assert.equal(await driver.evaluate(() => document.documentElement.dataset.theme), theme);
      await walk(driver, async (state) => {
        await fits(driver, state);
        await audit(driver, state);
      });
    },
  })),
);
