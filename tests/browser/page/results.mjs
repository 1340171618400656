// The results of a recording: trees, chart, chunk size, copying and sharing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StreamAccumulator } from "respool";
import { bytesOfMessages } from "../../fixtures/quirks/frames.mjs";
import { ROOT } from "../../../scripts/paths.mjs";
import { chatBody, listen, openFile, openSample } from "./input.mjs";

export default [
  {
    name: "result and process() as trees",
    async run(driver) {
      await openSample(driver, "Chat: parallel");
      await driver.click("[role=tab]", "Result");
      assert.match(await driver.text("#result-panel"), /ending: "complete"/);
      await driver.click("#result-panel summary", "toolCallStatus");
      await driver.says("#result-panel", '0: "complete"');
      await driver.click("[role=tab]", "process()");
      assert.match(await driver.text("#result-panel"), /name: "find_departures"/);
      await driver.press("ArrowRight");
      await driver.find(".chart");
      await openFile(driver, "body.json", JSON.stringify(chatBody("Only text")));
      await driver.click("[role=tab]", "process()");
      assert.equal((await driver.text("#result-panel")).trim(), '"Only text"');
    },
  },
  {
    name: "another chunk size, same result",
    async run(driver) {
      await openSample(driver, "Anthropic");
      await driver.click("[role=tab]", "Chunk size");
      for (const step of ["0", "3", "12"]) {
        await driver.fill(".rechunk input", "Chunk size in bytes", step);
        await driver.says(".rechunk", "same result");
      }
      // The page shows the outcome of the previous step until the bytes are parsed again.
      await driver.until(() => /1,048,576\s+1 chunk,/.test(document.querySelector(".rechunk").innerText), undefined, "one chunk");
      assert.match(await driver.text(".rechunk"), /1 chunk, \d+ deltas: same result/);
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
      assert.ok(drawn, "nothing is drawn");
      assert.match(
        await driver.evaluate(() => document.querySelector(".chart").getAttribute("aria-label")),
        /^27053 bytes and \d+ characters over 2\.\d+ seconds$/,
      );
    },
  },
  {
    name: "copying as JSON and as a fixture",
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
      const known = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
      assert.equal(fixture.api, "openai-chat");
      assert.equal(fixture.input.events.length, readFileSync(join(folder, "events.jsonl"), "utf8").trim().split("\n").length);
      for (const name of ["text", "toolCalls", "finishReason", "rawFinishReason", "usage", "ending"])
        assert.deepEqual(fixture.expected[name] ?? "", known[name] ?? "", name);
    },
  },
  {
    name: "copying binary messages as a fixture",
    async run(driver) {
      await listen(driver);
      await openSample(driver, "Bedrock");
      await driver.click("button", "Copy as fixture");
      await driver.until(() => globalThis.copied, undefined, "fixture");
      const { api, input, expected } = JSON.parse(await driver.evaluate(() => globalThis.copied));
      assert.equal(api, "bedrock-converse");
      assert.deepEqual(input.frames[0], { event: "messageStart", payload: { role: "assistant" } });
      const accumulator = new StreamAccumulator();
      accumulator.pushBytes(bytesOfMessages(input.frames, JSON.stringify));
      assert.equal(accumulator.finish().text, expected.text);
    },
  },
  {
    name: "sharing as a file that opens again",
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
