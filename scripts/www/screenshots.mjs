// node scripts/www/screenshots.mjs: takes the pictures in docs/inspector/ of the current page.
import { join } from "node:path";
import { chromiumPath, withChromium } from "../../tests/browser/drivers/chromium.mjs";
import { ROOT } from "../paths.mjs";
import { bundlePage, PAGE } from "./bundle.mjs";
import { serve } from "./serve.mjs";

/** @import { Page } from "playwright-core" */

const MEDIUM = { width: 1280, height: 800 };
const WIDE = { width: 1920, height: 1080 };
const NARROW = { width: 360, height: 780 };

/**
 * @typedef {object} Shot
 * @property {string} name
 * @property {{ width: number, height: number }} size
 * @property {"light" | "dark"} colorScheme
 * @property {(page: Page) => Promise<void>} prepare
 */

/** @type {Shot[]} */
const SHOTS = [
  { name: "start-light", size: MEDIUM, colorScheme: "light", prepare: async () => {} },
  { name: "verdict-light", size: MEDIUM, colorScheme: "light", prepare: (page) => open(page, "Cut off") },
  {
    name: "wide-light",
    size: WIDE,
    colorScheme: "light",
    async prepare(page) {
      await open(page, "Anthropic");
      await page.locator(".timeline [role=option]", { hasText: "kayak" }).click();
    },
  },
  {
    name: "wide-dark",
    size: MEDIUM,
    colorScheme: "dark",
    async prepare(page) {
      await open(page, "Responses:");
      await page.locator(".timeline [role=option]").nth(7).click();
      await page.getByRole("tab", { name: "Over time" }).click();
    },
  },
  { name: "narrow-light", size: NARROW, colorScheme: "light", prepare: (page) => open(page, "Cut off") },
  {
    name: "narrow-dark",
    size: NARROW,
    colorScheme: "dark",
    async prepare(page) {
      await open(page, "Anthropic");
      await page.getByRole("tab", { name: "Events" }).click();
      await page.locator(".timeline [role=option]").nth(3).click();
    },
  },
  { name: "playground-dark", size: MEDIUM, colorScheme: "dark", prepare: preparePlayground },
];

/** @param {Page} page @param {string} sample */
async function open(page, sample) {
  await page.locator(".sample", { hasText: sample }).click();
  await page.locator(".workspace").waitFor();
}

/** Two runs against a model server of this machine. @param {Page} page */
async function preparePlayground(page) {
  const { startModelServer } = await import(join(ROOT, "tests", "server", "index.mjs"));
  const server = await startModelServer();
  const turn = { text: "The ferry to **Skjervøy** leaves at 9:35.", usage: { prompt: 41, completion: 12 } };
  const { url } = server.script([turn, { ...turn, text: "At 9:35, from the northern quay." }]);
  await page.getByRole("button", { name: "Playground", exact: true }).click();
  for (const [label, text] of [
    ["Base URL", `${url}/v1`],
    ["Model", "stub"],
    ["System prompt", "Be brief."],
  ]) {
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  for (const prompt of ["When does the ferry leave?", "And from where?"]) {
    await page.getByLabel("Prompt", { exact: true }).fill(prompt);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("button", { name: "Send", exact: true }).waitFor();
  }
  await page.locator(".runs li").nth(1).waitFor();
  for (const number of [1, 2]) await page.getByLabel(`Compare run ${number}`).check();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByLabel("Base URL", { exact: true }).fill("http://localhost:11434/v1");
  await server.close();
}

const chromium = chromiumPath();
if (chromium === undefined) throw new Error("Chromium isn't installed. Install it, or set CHROMIUM_PATH.");
await bundlePage();
const server = await serve(PAGE);
await withChromium(chromium, async (browser) => {
  for (const { name, size, colorScheme, prepare } of SHOTS) {
    const page = await browser.newPage({ viewport: size, colorScheme });
    await page.goto(server.origin);
    await page.locator(".start").waitFor();
    await prepare(page);
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
    await page.screenshot({ path: join(ROOT, "docs", "inspector", `${name}.png`) });
    await page.close();
  }
});
server.close();
