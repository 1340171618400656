// node scripts/www/screenshots.mjs: the pictures in docs/inspector/, taken of the page as it is bundled now.
import { join } from "node:path";
import { chromiumPath, withChromium } from "../../tests/browser/drivers/chromium.mjs";
import { ROOT } from "../paths.mjs";
import { PAGE, bundlePage } from "./bundle.mjs";
import { serve } from "./serve.mjs";

const WIDE = { width: 1120, height: 740 };
const NARROW = { width: 360, height: 780 };

const SHOTS = [
  { name: "start-light", size: WIDE, colorScheme: "light", walk: async () => {} },
  { name: "wide-light", size: WIDE, colorScheme: "light", walk: (page) => open(page, "Anthropic", 8) },
  {
    name: "wide-dark",
    size: WIDE,
    colorScheme: "dark",
    async walk(page) {
      await open(page, "Responses", 7);
      await page.getByRole("tab", { name: "Over time" }).click();
    },
  },
  { name: "narrow-light", size: NARROW, colorScheme: "light", walk: (page) => open(page, "Cut off", 8) },
  { name: "narrow-dark", size: NARROW, colorScheme: "dark", walk: (page) => open(page, "Anthropic", 3) },
  {
    name: "playground-dark",
    size: WIDE,
    colorScheme: "dark",
    walk: (page) => page.getByRole("button", { name: "Playground" }).click(),
  },
];

async function open(page, sample, event) {
  await page.getByRole("button", { name: sample }).click();
  await page.locator(".timeline [role=option]").nth(event).click();
  await page.evaluate(() => scrollTo(0, 0));
}

await bundlePage();
const server = await serve(PAGE);
await withChromium(chromiumPath(), async (browser) => {
  for (const { name, size, colorScheme, walk } of SHOTS) {
    const page = await browser.newPage({ viewport: size, colorScheme });
    await page.goto(server.origin);
    await walk(page);
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
    await page.screenshot({ path: join(ROOT, "docs", "inspector", `${name}.png`) });
    await page.close();
  }
});
server.close();
