// node scripts/www/screenshots.mjs: takes the pictures in docs/inspector/ of the current page.
import { join } from "node:path";
import { chromiumPath, withChromium } from "../../tests/browser/drivers/chromium.mjs";
import { ROOT } from "../paths.mjs";
import { bundlePage, PAGE } from "./bundle.mjs";
import { serve } from "./serve.mjs";

/** @import { Page } from "playwright-core" */

const WIDE = { width: 1120, height: 740 };
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
  { name: "start-light", size: WIDE, colorScheme: "light", prepare: async () => {} },
  { name: "wide-light", size: WIDE, colorScheme: "light", prepare: (page) => open(page, "Anthropic", 8) },
  {
    name: "wide-dark",
    size: WIDE,
    colorScheme: "dark",
    async prepare(page) {
      await open(page, "Responses", 7);
      await page.getByRole("tab", { name: "Over time" }).click();
    },
  },
  { name: "narrow-light", size: NARROW, colorScheme: "light", prepare: (page) => open(page, "Cut off", 8) },
  { name: "narrow-dark", size: NARROW, colorScheme: "dark", prepare: (page) => open(page, "Anthropic", 3) },
  {
    name: "playground-dark",
    size: WIDE,
    colorScheme: "dark",
    prepare: (page) => page.getByRole("button", { name: "Playground" }).click(),
  },
];

/** @param {Page} page @param {string} sample @param {number} event */
async function open(page, sample, event) {
  await page.getByRole("button", { name: sample }).click();
  await page.locator(".timeline [role=option]").nth(event).click();
  await page.evaluate(() => scrollTo(0, 0));
}

const chromium = chromiumPath();
if (chromium === undefined) throw new Error("Chromium isn't installed. Install it, or set CHROMIUM_PATH.");
await bundlePage();
const server = await serve(PAGE);
await withChromium(chromium, async (browser) => {
  for (const { name, size, colorScheme, prepare } of SHOTS) {
    const page = await browser.newPage({ viewport: size, colorScheme });
    await page.goto(server.origin);
    await prepare(page);
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
    await page.screenshot({ path: join(ROOT, "docs", "inspector", `${name}.png`) });
    await page.close();
  }
});
server.close();
