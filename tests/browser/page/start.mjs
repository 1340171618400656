// The start page: what the inspector is for, and how to capture a response.
import assert from "node:assert/strict";

export default [
  {
    name: "start page: why, a command to copy, HAR files, the cut-off sample first",
    async run(driver) {
      assert.equal(await driver.text(".start h2"), "Find out why your LLM stream broke");
      await driver.evaluate(() => {
        navigator.clipboard.writeText = async (text) => {
          globalThis.copied = text;
        };
      });
      await driver.click("button", "Copy the command");
      await driver.until(() => globalThis.copied, undefined, "the copy");
      assert.match(await driver.evaluate(() => globalThis.copied), /^curl -N [\s\S]*\| tee capture\.sse$/);
      assert.match(await driver.text(".ways"), /Network panel.*Save all as HAR/s);
      assert.match(await driver.text(".sample"), /^Cut off/);
      await driver.click(".start button.link", "playground");
      await driver.find(".playground");
    },
  },
];
