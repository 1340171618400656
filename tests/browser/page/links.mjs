// The answer and the events, linked both ways; and the search in the assembled text.
import assert from "node:assert/strict";
import { chatEvent, openFile, openSample, sse } from "./input.mjs";

/** Returns the text that a highlight covers. */
const highlighted = (driver, name) =>
  driver.evaluate((key) => [...(CSS.highlights.get(key) ?? [])].map((range) => range.toString()).join("|"), name);

/** The page highlights at the next frame. */
const highlights = (driver, name, text) =>
  driver.until(
    ({ key, expected }) => [...(CSS.highlights.get(key) ?? [])].map((range) => range.toString()).join("|") === expected,
    { key: name, expected: text },
    `the highlight of ${JSON.stringify(text)}`,
  );

/** Clicks in the middle of some words of the answer. */
async function clickWords(driver, words) {
  const [x, y] = await driver.evaluate((text) => {
    const walker = document.createTreeWalker(document.querySelector(".answer .scroller"), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.data.indexOf(text);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + text.length);
      const { left, top, width, height } = range.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    }
  }, words);
  await driver.clickAt(x, y);
}

const selected = (driver) => driver.text(".timeline [aria-selected=true] .summary");

export default [
  {
    name: "links: from a word to its event",
    async run(driver) {
      await openSample(driver, "Anthropic");
      for (const [words, summary] of [
        ["kayak", "kayak"],
        ["boathouse", "boathouse"],
        ["carry", "carry"],
        ["island", "island"],
      ]) {
        await clickWords(driver, words);
        await driver.until(
          (expected) => document.querySelector(".timeline [aria-selected=true] .summary")?.textContent.includes(expected),
          summary,
          `an event that adds ${summary}`,
        );
        // The page highlights at the next frame.
        await driver.until(
          (expected) => [...(CSS.highlights.get("added") ?? [])].some((range) => range.toString().includes(expected)),
          summary,
          `the highlight of ${summary}`,
        );
      }
    },
  },
  {
    name: "links: from an event to its words, in Markdown and plain",
    async run(driver) {
      const pieces = ["# A **ti", "de** table\n\n| port | ", "time |\n|---|---|\n| Bodø | 9:35 |\n", "\n- _ebb_ at `six` & more"];
      await openFile(
        driver,
        "links.sse",
        [...pieces.map((content) => chatEvent({ content })), chatEvent({}, { finish_reason: "stop" })].map(sse).join(""),
      );
      await driver.says(".answer", "table");
      await driver.click(".timeline [role=option]", "ebb");
      await driver.until(() => CSS.highlights.get("added")?.size > 0, undefined, "a highlight");
      assert.match(await highlighted(driver, "added"), /ebb at six & more/);
      await driver.click(".timeline [role=option]", "A **ti");
      await driver.until(
        () => [...CSS.highlights.get("added")].some((range) => range.toString().startsWith("A ti")),
        undefined,
        "the start",
      );
      await driver.click(".toggle input", "Markdown");
      await driver.until(
        () => [...(CSS.highlights.get("added") ?? [])].some((range) => range.toString() === "# A **ti"),
        undefined,
        "plain",
      );
    },
  },
  {
    name: "links: arguments of a call, and the other way",
    async run(driver) {
      await openSample(driver, "Cut off");
      await driver.click(".tool-card .leaf", "unit");
      await driver.says(".event-detail h2", "Event 11");
      await driver.find(".tool-card.added");
      await driver.click(".tool-card .leaf", "lat");
      await driver.says(".event-detail h2", "Event 10");
      await driver.click(".timeline [role=option]", "look");
      await driver.until(() => document.querySelector(".tool-card.added") === null, undefined, "no card");
      await highlights(driver, "added", " look");
    },
  },
  {
    name: "links: scrubbing moves the list",
    async run(driver) {
      await openSample(driver, "Anthropic");
      await driver.fill(".player input[type=range]", "Position", "150");
      await driver.says(".timeline [aria-selected=true] .number", "150");
      await driver.until(
        () => {
          const list = document.querySelector(".timeline .virtual-list").getBoundingClientRect();
          const row = document.querySelector(".timeline [aria-selected=true]").getBoundingClientRect();
          return row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
        },
        undefined,
        "the row in view",
      );
      await driver.fill(".player input[type=range]", "Position", "10");
      await driver.says(".timeline [aria-selected=true] .number", "10");
    },
  },
  {
    name: "links: the search finds words that events split",
    async run(driver) {
      await openFile(
        driver,
        "split.sse",
        [chatEvent({ content: "The fer" }), chatEvent({ content: "ry lea" }), chatEvent({ content: "ves at six" })]
          .map(sse)
          .join(""),
      );
      await driver.fill("input[type=search]", "Search", "FERRY leaves");
      await driver.says(".timeline [role=status]", "3 of 3 events, 1 match in the answer");
      await highlights(driver, "found", "ferry leaves");
      await driver.fill("input[type=search]", "Search", "fer");
      await driver.says(".timeline [role=status]", "1 of 3 events");
      await driver.fill("input[type=search]", "Search", "");
      await driver.says(".timeline [role=status]", "3 events");
      await highlights(driver, "found", "");
      assert.equal(await selected(driver).catch(() => ""), "ves at six");
    },
  },
];
