// The list of events and the details of one.
import assert from "node:assert/strict";
import { chatEvent, openFile, openSample, sse } from "./input.mjs";

const rows = (driver) =>
  driver.evaluate(() =>
    [...document.querySelectorAll(".timeline [role=option]")].map((row) => row.innerText.replaceAll("\n", " ")),
  );

export default [
  {
    name: "an event: data, bytes and deltas side by side",
    async run(driver) {
      await driver.resize(1920, 1080);
      await openSample(driver, "Chat: parallel");
      await driver.click(".timeline [role=option]", "Sure");
      await driver.until(() => document.querySelectorAll(".event-detail .column").length === 3, undefined, "three columns");
      const [decoded, raw, deltas] = await driver.evaluate(() =>
        [...document.querySelectorAll(".event-detail .column")].map((column) => column.innerText),
      );
      assert.match(raw, /^Raw bytes\s.*data: \{"id":"chatcmpl-/s);
      assert.match(decoded, /object: "chat\.completion\.chunk"/);
      assert.match(deltas, /type: "text"\s+text: "Sure"/);
      await driver.click("button", "hex");
      await driver.says(".event-detail pre", "0000  64 61 74 61");
    },
  },
  {
    name: "gaps, filters and search",
    async run(driver) {
      await openSample(driver, "Anthropic");
      await driver.says(".timeline .gap.long", "+880 ms");
      await driver.click(".legend button", "tools");
      await driver.says(".timeline [role=status]", "9 of 215 events");
      assert.ok((await rows(driver)).some((row) => row.includes("set_reminder")));
      assert.ok((await rows(driver)).every((row) => !row.includes("thinking")));
      await driver.click(".legend button", "tools");
      await driver.says(".timeline [role=status]", "215 events");
      await driver.fill("input[type=search]", "Search", "SPARE");
      await driver.says(".timeline [role=status]", "1 of 215 events");
      await driver.fill("input[type=search]", "Search", "no such text");
      await driver.says(".timeline", "No matching events");
    },
  },
  {
    name: "keyboard navigation",
    async run(driver) {
      await openSample(driver, "Chat: parallel");
      await driver.evaluate(() => document.querySelector(".timeline [role=listbox]").focus());
      const selected = () => driver.text(".timeline [aria-selected=true] .number");
      for (const [key, number] of [
        ["Home", "1"],
        ["ArrowDown", "2"],
        ["PageDown", "12"],
        ["ArrowUp", "11"],
        ["End", "82"],
      ]) {
        await driver.press(key);
        await driver.says(".timeline [aria-selected=true] .number", number);
        assert.equal(await selected(), number, key);
      }
      const active = await driver.evaluate(() => document.activeElement.getAttribute("aria-activedescendant"));
      assert.equal(await driver.evaluate((id) => document.getElementById(id).getAttribute("aria-posinset"), active), "82");
    },
  },
  {
    name: "a hundred thousand events",
    async run(driver) {
      await driver.evaluate(() => {
        globalThis.animationFrames = 0;
        const count = () => {
          globalThis.animationFrames += 1;
          requestAnimationFrame(count);
        };
        count();
      });
      const count = 100_000;
      const events = Array.from({ length: count }, (_, index) => sse(chatEvent({ content: `${index} ` })));
      const before = await driver.evaluate(() => globalThis.animationFrames);
      await openFile(driver, "long.sse", events.join(""));
      await driver.says(".timeline [role=status]", "100,000 events");
      assert.ok((await driver.evaluate(() => globalThis.animationFrames)) - before > 5, "the page froze while reading");
      assert.ok((await driver.count(".timeline [role=option]")) < 100, "rows outside the view are rendered");
      await driver.evaluate(() => document.querySelector(".timeline [role=listbox]").focus());
      await driver.press("End");
      await driver.says(".timeline [aria-selected=true] .number", String(count));
      await driver.says(".event-detail", '"99999 "');
      assert.ok((await driver.count(".timeline [role=option]")) < 100);
      await driver.fill("input[type=search]", "Search", '"98765 "');
      await driver.says(".timeline [role=status]", "1 of 100,000 events");
    },
  },
];
