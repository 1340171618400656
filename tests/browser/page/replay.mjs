// Replay: the response grows, and the user can pause and seek.
import assert from "node:assert/strict";
import { openSample } from "./input.mjs";

const position = (driver) => driver.evaluate(() => Number(document.querySelector(".player input[type=range]").value));

export default [
  {
    name: "stepping and seeking",
    async run(driver) {
      await openSample(driver, "Chat: parallel");
      assert.equal(await position(driver), 82);
      await driver.click("button", "To the start");
      await driver.says(".answer", "Nothing received yet");
      for (let step = 0; step < 3; step++) await driver.click("button", "Next event");
      await driver.says(".markdown", "Sure –");
      await driver.says(".timeline [aria-selected=true] .number", "3");
      await driver.click("button", "Previous event");
      await driver.says(".timeline [aria-selected=true] .number", "2");
      assert.equal((await driver.text(".markdown")).trim(), "Sure");
      await driver.fill(".player input[type=range]", "Position", "50");
      await driver.says(".tool-card", "arriving");
      assert.match(await driver.text(".badges"), /open/);
      const halfway = await driver.text(".tool-card");
      await driver.click("button", "To the end");
      await driver.says(".badges", "complete");
      assert.notEqual(await driver.text(".tool-card"), halfway);
    },
  },
  {
    name: "playing at another speed, and pausing",
    async run(driver) {
      await openSample(driver, "A refusal");
      await driver.choose("select", "Speed", "0.25 ×");
      await driver.click("button[aria-label=Play]");
      await driver.until(
        () => [2, 3, 4, 5].includes(Number(document.querySelector(".player input[type=range]").value)),
        undefined,
        "second event",
      );
      await driver.click("button", "Pause");
      const stopped = await position(driver);
      assert.ok(stopped > 1 && stopped < 15, String(stopped));
      await driver.choose("select", "Speed", "100 ×");
      await driver.click("button[aria-label=Play]");
      await driver.until(
        () => {
          const { value, max } = document.querySelector(".player input[type=range]");
          return value === max;
        },
        undefined,
        "end",
      );
      await driver.find("button[aria-label=Play]");
      assert.match(await driver.text(".badges"), /complete/);
    },
  },
  {
    name: "arguments that fill in",
    async run(driver) {
      await openSample(driver, "Anthropic");
      const seen = [];
      await driver.click(".legend button", "tools");
      await driver.says(".timeline [role=status]", "9 of 215 events");
      for (const row of await driver.evaluate(() =>
        [...document.querySelectorAll(".timeline [role=option] .number")].map(({ textContent }) => textContent),
      )) {
        await driver.fill(".player input[type=range]", "Position", row);
        await driver.until(
          (number) => document.querySelector(".player .count").textContent.startsWith(`${number} /`),
          row,
          `position ${row}`,
        );
        seen.push((await driver.text(".tool-card")).replace(/\s+/g, " "));
      }
      assert.equal(new Set(seen).size, seen.length, "a fragment changed nothing");
      assert.ok(
        seen.some((card) => card.includes('at: "2025-11-22T10:00" text: "Pack the dry"')),
        seen.join("\n"),
      );
    },
  },
];
