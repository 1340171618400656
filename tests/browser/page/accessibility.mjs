// axe finds nothing, best practices included, in any state of the page, theme or width, nor with forced colours; and
// nothing overflows.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { openFile, openSample } from "./input.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Loads axe into the page and disables transitions: a colour in transition isn't the theme's. */
export async function loadAxe(driver) {
  await driver.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after { transition: none !important; }");
    document.adoptedStyleSheets.push(sheet);
  });
  await driver.evaluate(`${AXE}; void 0`);
}

export async function audit(driver, state) {
  const found = await driver.evaluate(async () => {
    // Cancelled animations reject.
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      where: nodes.map(({ html, failureSummary }) => `${html.slice(0, 300)} ${failureSummary}`),
    }));
  });
  assert.deepEqual(found, [], state);
}

async function fits(driver, state) {
  const [needed, available] = await driver.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(needed <= available, `${state}: ${needed} px wide, on ${available} px`);
}

/** Shows a pane: on small screens, one at a time is shown. */
async function show(driver, pane) {
  if (await driver.evaluate(() => document.querySelector(".workspace.small") !== null)) {
    await driver.click("[aria-label=Panes] [role=tab]", pane);
  }
}

/** Visits every state of the page. */
async function walk(driver, visit) {
  await visit("start");
  await driver.click(".source button", "Playground");
  await visit("playground");
  await driver.choose(".playground select", "API", "A request of any form");
  await visit("playground, any request");
  await driver.click(".source button", "Playground");
  await driver.click(".source button", "Paste");
  await visit("paste");
  await driver.click(".source button", "Paste");
  await openSample(driver, "Cut off");
  await visit("a verdict");
  for (const [sample, words] of [
    ["Responses", "39 events"],
    ["A refusal", "The model refused"],
    ["A batch", "31 tokens"],
    ["Anthropic", "set_reminder"],
  ]) {
    await driver.choose("select", "Sample", sample);
    await driver.says(".verdict", words);
    await visit(sample);
  }
  await show(driver, "Events");
  await driver.click(".timeline [role=option]", "413 tokens");
  for (const tab of ["Data", "Raw bytes", "What it added"]) {
    if ((await driver.count(".columns.single")) > 0) await driver.click("[aria-label=Event] [role=tab]", tab);
    await visit(`event: ${tab}`);
  }
  await show(driver, "Answer");
  await visit("answer");
  await show(driver, "Result");
  for (const tab of ["Result", "process()", "Over time", "Chunk size", "Exchange"]) {
    await driver.click("[aria-label=Results] [role=tab]", tab);
    await visit(tab);
  }
  await driver.click("[aria-label=Results] [role=tab]", "As …");
  await visit("as another interface");
  await driver.click("[aria-label=Interface] button", "openai-chat");
  await driver.says(".translation pre", "chat.completion.chunk");
  await visit("as chat completions");
  await openFile(driver, "page.html", "<!doctype html><title>502 Bad Gateway</title>");
  await driver.says(".verdict", "An HTML page");
  await show(driver, "Verdict");
  await visit("an HTML page");
}

const THEMES = ["light", "dark"];
const WIDTHS = [320, 768, 1280, 1920];

/** Visits every state. */
async function check(driver, isAudited = true) {
  if (isAudited) await loadAxe(driver);
  await walk(driver, async (state) => {
    await fits(driver, state);
    if (isAudited) await audit(driver, state);
  });
}

export default [
  ...THEMES.flatMap((theme, themeAt) =>
    WIDTHS.map((width, at) => ({
      name: `axe, ${theme}, ${width} px wide`,
      // axe's results are the same in all browsers, so only one of them audits each combination of theme and width.
      async run(driver, { turn }) {
        await driver.resize(width, 900);
        for (let presses = 0; presses <= themeAt; presses++) await driver.click("button", "change to");
        assert.equal(await driver.evaluate(() => document.documentElement.dataset.theme), theme);
        await check(driver, (at + themeAt) % turn.of === turn.at);
      },
    })),
  ),
  ...[320, 1280].map((width) => ({
    name: `axe, forced colours, ${width} px wide`,
    async run(driver) {
      // Only Chromium can force them.
      if (!(await driver.forceColours())) return;
      await driver.resize(width, 900);
      await check(driver);
    },
  })),
];
