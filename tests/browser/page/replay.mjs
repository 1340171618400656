// Replay: the response grows, and the user can pause and seek.
import assert from "node:assert/strict";
import { chatEvent, openFile, openSample, sse } from "./input.mjs";

const position = (driver) => driver.evaluate(() => Number(document.querySelector(".player input[type=range]").value));

/** Returns a capture of a long Markdown answer, in which an event comes every few milliseconds. */
function longCapture(characters, gap) {
  const parts = [
    "## Section\n\n",
    "A paragraph with *emphasis* and `code`, which is long enough to wrap.\n\n",
    "- one\n- two **bold**\n\n",
  ];
  let text = "";
  for (let index = 0; text.length < characters; index++) text += parts[index % parts.length];
  const reads = [];
  for (let at = 0; at < text.length; at += 8) {
    reads.push({ time: 100 + reads.length * gap, text: sse(chatEvent({ content: text.slice(at, at + 8) })) });
  }
  reads.push({ time: 100 + reads.length * gap, text: sse(chatEvent({}, { finish_reason: "stop" })) });
  return JSON.stringify({ format: "respool-capture", version: 1, name: "long", reads });
}

/** Plays to the end, and waits until the page has shown it. */
async function playToEnd(driver) {
  await driver.click("button[aria-label=Play]");
  await driver.until(
    () => {
      const { value, max } = document.querySelector(".player input[type=range]");
      return value === max && document.querySelector("button[aria-label=Play]") !== null;
    },
    undefined,
    "end",
  );
}

export default [
  {
    name: "replay of a long answer: only the last blocks are rendered anew",
    async run(driver) {
      await openFile(driver, "long.capture.json", longCapture(80_000, 1));
      await driver.says(".timeline [role=status]", "10,0");
      await driver.click("button", "To the start");
      await driver.says(".answer", "Nothing received yet");
      await driver.evaluate(() => {
        globalThis.rendered = 0;
        globalThis.updates = 0;
        let position = "";
        new MutationObserver((records) => {
          const blocks = new Set(records.map(({ target }) => target.closest?.(".block")).filter(Boolean));
          globalThis.rendered += blocks.size;
        }).observe(document.querySelector(".answer"), { childList: true, subtree: true });
        const count = () => {
          const shown = document.querySelector(".player .count").textContent;
          if (shown !== position) globalThis.updates += 1;
          position = shown;
          requestAnimationFrame(count);
        };
        count();
      });
      await driver.choose("select", "Speed", "20 ×");
      await playToEnd(driver);
      const [rendered, updates, blocks] = await driver.evaluate(() => [
        globalThis.rendered,
        globalThis.updates,
        document.querySelectorAll(".answer .block").length,
      ]);
      assert.ok(blocks > 1500, String(blocks));
      // Each block is rendered when it arrives. Each update renders the last ones again, because their text may continue.
      assert.ok(rendered <= blocks + 3 * (updates + 2), `${rendered} blocks rendered for ${blocks}, in ${updates} updates`);
    },
  },
  {
    name: "replay by the clock: late frames are caught up with",
    async run(driver) {
      await openFile(driver, "long.capture.json", longCapture(4000, 8));
      await driver.says(".timeline [role=status]", "events");
      await driver.click("button", "To the start");
      await driver.says(".answer", "Nothing received yet");
      // The test controls the page's clock.
      await driver.evaluate(() => {
        globalThis.now = performance.now();
        performance.now = () => globalThis.now;
      });
      await driver.click("button[aria-label=Play]");
      await driver.find("button[aria-label=Pause]");
      for (const milliseconds of [1000, 2000]) {
        await driver.evaluate((passed) => {
          globalThis.now += passed;
        }, 1000);
        const expected = 1 + Math.floor((milliseconds - 100) / 8);
        await driver.says(".player .count", `${expected} /`);
      }
    },
  },
  {
    name: "replay shows everything of the moment, and is silent",
    async run(driver) {
      await driver.resize(1920, 1080);
      await openSample(driver, "Anthropic");
      await driver.fill(".player input[type=range]", "Position", "100");
      await driver.says("#result-panel", 'ending: "open"');
      assert.doesNotMatch(await driver.text("#result-panel"), /finishReason/);
      const bytes = Number((await driver.text(".facts .numbers div")).replace(/\D/g, ""));
      assert.ok(bytes > 5000 && bytes < 20_000, String(bytes));
      await driver.click("[aria-label=Results] [role=tab]", "process()");
      await driver.says("#result-panel", "Available once");
      await driver.click("[aria-label=Results] [role=tab]", "Result");
      await driver.evaluate(() => {
        globalThis.spoken = [];
        new MutationObserver((records) => {
          for (const { target } of records) {
            const region = (target.nodeType === 1 ? target : target.parentElement).closest(
              "[role=status], [role=alert], output, [aria-live]",
            );
            const isSilent = region === null || region.getAttribute("aria-live") === "off" || region.textContent.trim() === "";
            if (!isSilent) globalThis.spoken.push(region.outerHTML);
          }
        }).observe(document.body, { childList: true, characterData: true, subtree: true });
      });
      await driver.choose("select", "Speed", "20 ×");
      await playToEnd(driver);
      await driver.says("#result-panel", 'ending: "complete"');
      assert.deepEqual(await driver.evaluate(() => globalThis.spoken), []);
    },
  },
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
