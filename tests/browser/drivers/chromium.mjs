// Chromium, by Playwright.
import { existsSync } from "node:fs";
import { Driver } from "./driver.mjs";

const FLAGS = [
  "--no-sandbox", // it runs as root in containers
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-lcd-text", // pictures without coloured edges
  // It is to ask nobody for anything.
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Where it is; undefined where it is not. */
export const chromiumPath = () =>
  [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
    (path) => path && existsSync(path),
  );

/** Runs `work` with the browser, which is closed whatever happens. */
export async function withChromium(executablePath, work) {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

/** A new page, of which errors and refused loads are collected in `complaints`. */
export async function openPage(browser, options) {
  const page = await browser.newPage(options);
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  return { page, complaints };
}

export class ChromiumDriver extends Driver {
  static async open(browser, { dark = false } = {}) {
    const { page, complaints } = await openPage(browser, { colorScheme: dark ? "dark" : "light" });
    const driver = new ChromiumDriver();
    return Object.assign(driver, { page, complaints });
  }

  goto(url) {
    return this.page.goto(url);
  }

  evaluate(run, argument) {
    return this.page.evaluate(run, argument);
  }

  async until(run, argument, what) {
    await this.page.waitForFunction(run, argument).catch((error) => {
      throw new Error(`There is no ${what}: ${error.message}`);
    });
  }

  clickFound(selector) {
    return this.page.click(selector);
  }

  uploadFound(selector, file) {
    return this.page.setInputFiles(selector, file);
  }

  press(key) {
    return this.page.keyboard.press(key);
  }

  resize(width, height) {
    return this.page.setViewportSize({ width, height });
  }

  screenshot(path) {
    return this.page.screenshot({ path });
  }

  close() {
    return this.page.close();
  }
}
