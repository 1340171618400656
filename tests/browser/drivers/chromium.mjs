// Chromium, driven by Playwright.
import { existsSync } from "node:fs";
import { Driver } from "./driver.mjs";

/** @import { Browser } from "playwright-core" */

const FLAGS = [
  "--no-sandbox", // containers run it as root
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-lcd-text", // screenshots without coloured edges
  // The browser makes no requests of its own.
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Returns the path to Chromium, or undefined if it isn't installed. */
export const chromiumPath = () =>
  [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
    (path) => path && existsSync(path),
  );

/** Runs `work` with a browser and closes it afterwards. @param {string} executablePath @param {(browser: Browser) => Promise<void>} work */
export async function withChromium(executablePath, work) {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

/** Opens a new page. @param {Browser} browser */
export async function openChromium(browser) {
  const page = await browser.newPage({ colorScheme: "light" });
  /** @type {string[]} */
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  return new Driver({
    complaints,
    goto: (url) => page.goto(url),
    evaluate: (run, argument) => page.evaluate(run, argument),
    waitFor: (run, argument) => page.waitForFunction(run, argument),
    click: (selector) => page.click(selector),
    upload: (selector, file) => page.setInputFiles(selector, file),
    press: (key) => page.keyboard.press(key),
    resize: (width, height) => page.setViewportSize({ width, height }),
    forceColours: () => page.emulateMedia({ forcedColors: "active" }),
    async drag(x, y, toX, toY) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      if (toX !== x || toY !== y) await page.mouse.move(toX, toY, { steps: 4 });
      await page.mouse.up();
    },
    close: () => page.close(),
  });
}
