// Firefox, driven by Puppeteer over WebDriver BiDi, which works with an ordinary Firefox.
import { existsSync } from "node:fs";
import { Driver } from "./driver.mjs";

/** @import { Browser } from "puppeteer-core" */

/** Returns the path to Firefox, or undefined if it isn't installed. */
export const firefoxPath = () =>
  [process.env.FIREFOX_PATH, "/usr/bin/firefox-esr", "/usr/bin/firefox"].find((path) => path && existsSync(path));

/** Runs `work` with a browser and closes it afterwards. @param {string} executablePath @param {(browser: Browser) => Promise<void>} work */
export async function withFirefox(executablePath, work) {
  const { default: puppeteer } = await import("puppeteer-core");
  const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

const POLL_MS = 25;
const POLLS = 1200;

/**
 * Waits until `check` resolves with something truthy. Puppeteer's own wait creates a function from text in the page, which
 * the page's policy forbids in some versions of Firefox.
 *
 * @param {() => Promise<unknown>} check
 */
async function poll(check) {
  for (let polls = 0; polls < POLLS; polls++) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`still not so after ${(POLLS * POLL_MS) / 1000} s`);
}

/** Opens a new page with its own storage. @param {Browser} browser */
export async function openFirefox(browser) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error instanceof Error ? String(error.stack) : String(error)));
  page.on("console", (message) => {
    if (/^(error|warn|warning)$/.test(message.type())) complaints.push(message.text());
  });
  return new Driver({
    complaints,
    goto: (url) => page.goto(url),
    evaluate: (run, argument) => page.evaluate(run, argument),
    waitFor: (run, argument) => poll(() => page.evaluate(run, argument)),
    click: (selector) => page.click(selector),
    async upload(selector, file) {
      const input = await page.$(selector);
      await /** @type {import("puppeteer-core").ElementHandle<HTMLInputElement> | null} */ (input)?.uploadFile(file);
    },
    press: (key) => page.keyboard.press(/** @type {import("puppeteer-core").KeyInput} */ (key)),
    async resize(width, height) {
      try {
        await page.setViewport({ width, height });
      } catch (error) {
        // Firefox before version 144 changes the size, but can't turn the screen.
        if (!String(error).includes("setScreenOrientationOverride")) throw error;
        await poll(() => page.evaluate((expected) => innerWidth === expected, width));
      }
    },
    async drag(x, y, toX, toY) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      if (toX !== x || toY !== y) await page.mouse.move(toX, toY, { steps: 4 });
      await page.mouse.up();
    },
    close: () => context.close(),
  });
}
