// What a recording comes to: trees, other reads, the chart, and what can be taken along.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../../scripts/paths.mjs";
import { chatBody, openFile, openSample } from "./input.mjs";

/** What the page copies, and the files that it makes, are kept in the page. */
const listen = (driver) =>
  driver.evaluate(() => {
    navigator.clipboard.writeText = async (text) => void (globalThis.copied = text);
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      blob.text().then((text) => (globalThis.shared = text));
      return create.call(URL, blob);
    };
    HTMLAnchorElement.prototype.click = function () {
      globalThis.savedAs = this.download;
    };
  });

export default [
  {
    name: "the trees of result and process",
    async run(driver) {
      await openSample(driver, "Chat: parallel");
      await driver.click("[role=tab]", "Result");
      assert.match(await driver.text("[role=tabpanel]"), /ending: "complete"/);
      await driver.click("[role=tabpanel] summary", "toolCallStatus");
      await driver.says("[role=tabpanel]", '0: "complete"');
      await driver.click("[role=tab]", "process()");
      assert.match(await driver.text("[role=tabpanel]"), /name: "find_departures"/);
      await driver.press("ArrowRight");
      await driver.find(".chart");
      await openFile(driver, "body.json", JSON.stringify(chatBody("Only text")));
      await driver.click("[role=tab]", "process()");
      assert.equal((await driver.text("[role=tabpanel]")).trim(), '"Only text"');
    },
  },
  {
    name: "other reads, the same result",
    async run(driver) {
      await openSample(driver, "Anthropic");
      await driver.click("[role=tab]", "Other reads");
      for (const stop of ["0", "3", "12"]) {
        await driver.fill(".recut input", "Bytes in a read", stop);
        await driver.says(".recut", "the same result");
      }
      // What is there is of the stop before until the bytes have been read again.
      await driver.until(() => /1,048,576\s+1 reads/.test(document.querySelector(".recut").innerText), undefined, "one read");
      assert.match(await driver.text(".recut"), /1 reads, \d+ deltas: the same result/);
    },
  },
  {
    name: "the chart",
    async run(driver) {
      await openSample(driver, "Chat: parallel");
      await driver.click("[role=tab]", "Over time");
      await driver.find(".chart canvas");
      const drawn = await driver.evaluate(() => {
        const canvas = document.querySelector(".chart canvas");
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return data.some((value) => value !== 0);
      });
      assert.ok(drawn, "something is drawn");
      assert.match(
        await driver.evaluate(() => document.querySelector(".chart").getAttribute("aria-label")),
        /^27053 bytes and \d+ characters over 2\.\d+ seconds$/,
      );
    },
  },
  {
    name: "copied as JSON and as a fixture",
    async run(driver) {
      const folder = join(ROOT, "tests", "fixtures", "openai-chat", "parallel-tool-calls");
      await listen(driver);
      await openFile(driver, "events.jsonl", readFileSync(join(folder, "events.jsonl")));
      await driver.click("button", "Copy as JSON");
      await driver.until(() => globalThis.copied, undefined, "copy");
      const result = JSON.parse(await driver.evaluate(() => globalThis.copied));
      assert.equal(result.ending, "complete");
      await driver.click("button", "Copy as fixture");
      await driver.until(() => globalThis.copied.includes("expected"), undefined, "fixture");
      const fixture = JSON.parse(await driver.evaluate(() => globalThis.copied));
      const wanted = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
      assert.equal(fixture.api, "openai-chat");
      assert.equal(fixture.input.events.length, readFileSync(join(folder, "events.jsonl"), "utf8").trim().split("\n").length);
      for (const name of ["text", "toolCalls", "finishReason", "rawFinishReason", "usage", "ending"])
        assert.deepEqual(fixture.expected[name] ?? "", wanted[name] ?? "", name);
    },
  },
  {
    name: "shared as a file, and opened again",
    async run(driver) {
      await listen(driver);
      await openSample(driver, "Cut off");
      const before = await driver.text(".timeline");
      await driver.click("button", "Share as file");
      await driver.until(() => globalThis.shared, undefined, "file");
      assert.equal(await driver.evaluate(() => globalThis.savedAs), "cut-off.capture.json");
      const shared = await driver.evaluate(() => globalThis.shared);
      await driver.click("button", "Close the capture");
      await openFile(driver, "again.capture.json", shared);
      await driver.says(".timeline", "invalid-event");
      assert.equal(await driver.text(".timeline"), before);
    },
  },
];
