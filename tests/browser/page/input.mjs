// Captures for the checks.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const chatEvent = (delta, more) => ({
  object: "chat.completion.chunk",
  model: "stub",
  choices: [{ index: 0, delta, ...more }],
});
export const sse = (event) => `data: ${JSON.stringify(event)}\n\n`;

/** Returns a chat stream with these text deltas. */
export const chatStream = (texts) =>
  [...texts.map((content) => chatEvent({ content })), chatEvent({}, { finish_reason: "stop" })].map(sse).join("");

export const chatBody = (content) => ({
  object: "chat.completion",
  model: "stub",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
});

const folder = mkdtempSync(join(tmpdir(), "respool-page-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Writes a file that is deleted after the tests. */
export function fileWith(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Opens a file in the page and waits until it is shown. */
export async function openFile(driver, name, content) {
  await driver.upload("input[type=file]", fileWith(name, content));
  await driver.find(".workspace");
}

export async function openSample(driver, title) {
  await driver.click(".sample", title);
  await driver.find(".workspace");
}

export async function paste(driver, text) {
  await driver.click(".source button", "Paste");
  await driver.fill("textarea", "A stream", text);
  await driver.click(".paste button", "Open");
}

/** Records the texts and files that the page copies and saves, for the checks. */
export const listen = (driver) =>
  driver.evaluate(() => {
    navigator.clipboard.writeText = async (text) => {
      globalThis.copied = text;
    };
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      blob.text().then((text) => {
        globalThis.shared = text;
      });
      return create.call(URL, blob);
    };
    HTMLAnchorElement.prototype.click = function () {
      globalThis.savedAs = this.download;
    };
  });
