// Firefox, by Puppeteer over WebDriver BiDi, which needs no Firefox of its own.
import { existsSync } from "node:fs";
import { Driver } from "./driver.mjs";

/** Where it is; undefined where it is not. */
export const firefoxPath = () =>
  [process.env.FIREFOX_PATH, "/usr/bin/firefox-esr", "/usr/bin/firefox"].find((path) => path && existsSync(path));

/** Runs `work` with the browser, which is closed whatever happens. */
export async function withFirefox(executablePath, work) {
  const { default: puppeteer } = await import("puppeteer-core");
  const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

export class FirefoxDriver extends Driver {
  static async open(browser) {
    const driver = new FirefoxDriver();
    // Each with a storage of its own.
    driver.context = await browser.createBrowserContext();
    driver.page = await driver.context.newPage();
    driver.page.on("pageerror", (error) => driver.complaints.push(String(error.stack ?? error)));
    driver.page.on("console", (message) => {
      if (["error", "warn", "warning"].includes(message.type())) driver.complaints.push(message.text());
    });
    return driver;
  }

  goto(url) {
    return this.page.goto(url);
  }

  evaluate(run, argument) {
    return this.page.evaluate(run, argument);
  }

  async until(run, argument, what) {
    await this.page.waitForFunction(run, {}, argument).catch((error) => {
      throw new Error(`There is no ${what}: ${error.message}`);
    });
  }

  clickFound(selector) {
    return this.page.click(selector);
  }

  async uploadFound(selector, file) {
    const input = await this.page.$(selector);
    await input.uploadFile(file);
  }

  press(key) {
    return this.page.keyboard.press(key);
  }

  resize(width, height) {
    return this.page.setViewport({ width, height });
  }

  screenshot(path) {
    return this.page.screenshot({ path });
  }

  close() {
    return this.context.close();
  }
}
