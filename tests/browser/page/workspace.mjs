// The workspace: panes of the height of the window, splitters, and tabs on small screens.
import assert from "node:assert/strict";
import { chatStream, openFile, openSample } from "./input.mjs";

const box = (driver, css) =>
  driver.evaluate((selector) => {
    const { left, top, right, bottom, width, height } = document.querySelector(selector).getBoundingClientRect();
    return { left, top, right, bottom, width, height };
  }, css);

export default [
  {
    name: "workspace: as high as the window, whatever the answer",
    async run(driver) {
      const paragraphs = Array.from({ length: 4_000 }, (_, index) => `Paragraph ${index} of a very long answer.\n\n`);
      await openFile(driver, "long.sse", chatStream(paragraphs));
      await driver.says(".answer", "Paragraph 0");
      for (const [width, height] of [
        [1280, 900],
        [1920, 1080],
        [768, 900],
        [320, 700],
      ]) {
        await driver.resize(width, height);
        await driver.until((expected) => innerWidth === expected, width, "the size");
        const page = await driver.evaluate(() => document.documentElement.scrollHeight);
        assert.ok(page <= height, `${page} px high, on ${height} px`);
      }
      await driver.resize(1280, 900);
      assert.ok(await driver.evaluate(() => document.querySelector(".answer .scroller").scrollHeight > 100_000));
    },
  },
  {
    name: "workspace: splitters move by pointer and keyboard, and stay",
    async run(driver, { origin }) {
      await openSample(driver, "Cut off");
      const before = await box(driver, "#pane-events");
      await driver.drag("[role=separator]", "Width of the events", 120, 0);
      // Once the last move is drawn, the pane has followed the pointer to within half the separator.
      const isWide = (width) => Math.abs(document.querySelector("#pane-events").getBoundingClientRect().width - width) < 8;
      await driver.until(isWide, before.width + 120, "wider events");
      const wider = await box(driver, "#pane-events");
      await driver.evaluate(() => document.querySelector("[role=separator]").focus());
      await driver.press("ArrowLeft");
      const isNarrower = (width) => document.querySelector("#pane-events").getBoundingClientRect().width < width;
      await driver.until(isNarrower, wider.width, "narrower events");
      const value = await driver.evaluate(() => Number(document.querySelector("[role=separator]").getAttribute("aria-valuenow")));
      const hasValue = (expected) => document.activeElement.getAttribute("aria-valuenow") === expected;
      await driver.press("Home");
      await driver.until(hasValue, "15", "the narrowest");
      await driver.press("Enter");
      await driver.until(hasValue, "42", "the usual width");
      assert.ok(value > 42);
      const upper = await box(driver, ".upper");
      await driver.drag("[role=separator]", "Height of the event", 0, -80);
      const isHigh = (height) => Math.abs(document.querySelector(".upper").getBoundingClientRect().height - height) < 8;
      await driver.until(isHigh, upper.height - 80, "a higher event");
      const moved = await box(driver, ".upper");
      await driver.goto(origin);
      await openSample(driver, "Cut off");
      assert.ok(Math.abs((await box(driver, ".upper")).height - moved.height) < 4);
    },
  },
  {
    name: "workspace: an event in full width, its JSON unbroken",
    async run(driver) {
      await openSample(driver, "Chat: parallel");
      await driver.click(".timeline [role=option]", "Sure");
      const detail = await box(driver, ".event-detail");
      assert.ok(detail.width > 1200, String(detail.width));
      await driver.click("[aria-label=Event] [role=tab]", "Raw bytes");
      assert.equal(
        await driver.evaluate(() => {
          const pre = document.querySelector(".event-detail pre");
          const line = parseFloat(getComputedStyle(pre).lineHeight);
          return Math.round(pre.getBoundingClientRect().height / line);
        }),
        2,
        "one line of data and the empty line",
      );
      await driver.resize(1920, 1080);
      await driver.until(() => document.querySelectorAll(".event-detail .column").length === 3, undefined, "three columns");
      const [answer, result] = [await box(driver, "#pane-answer"), await box(driver, "#pane-result")];
      assert.ok(answer.left < result.left && result.right > 1890, "three panes over the whole width");
    },
  },
  {
    name: "workspace: tabs on a phone, without a jump of the focus",
    async run(driver) {
      await driver.resize(360, 780);
      await openSample(driver, "Cut off");
      const tabs = () =>
        driver.evaluate(() =>
          [...document.querySelectorAll("[aria-label=Panes] [role=tab]")].map(({ textContent }) => textContent),
        );
      assert.deepEqual(await tabs(), ["Verdict", "Events", "Answer", "Result"]);
      for (const [tab, css] of [
        ["Answer", ".answer"],
        ["Result", ".results"],
        ["Events", ".timeline"],
        ["Verdict", ".verdict"],
      ]) {
        await driver.click("[aria-label=Panes] [role=tab]", tab);
        await driver.find(css);
        assert.equal(await driver.evaluate(() => document.activeElement.textContent), tab);
        assert.equal(await driver.evaluate(() => scrollY), 0);
      }
      await driver.press("ArrowRight");
      await driver.find(".timeline");
      assert.equal(await driver.evaluate(() => document.activeElement.textContent), "Events");
      await driver.click(".timeline [role=option]", "look");
      await driver.says(".event-detail h2", "Event 3");
      assert.equal(await driver.evaluate(() => document.activeElement.getAttribute("role")), "listbox");
      assert.equal(await driver.evaluate(() => scrollY), 0);
      await driver.click("[aria-label=Panes] [role=tab]", "Verdict");
      await driver.click(".verdict a", "event 9");
      await driver.says(".event-detail h2", "Event 9");
      await driver.until(() => document.activeElement.getAttribute("role") === "listbox", undefined, "the focus on the events");
    },
  },
  {
    name: "workspace: gaps as a waterfall with times, and a legend",
    async run(driver) {
      await openSample(driver, "Cut off");
      const row = await driver.text(".timeline [role=option]", "comment");
      assert.match(row, /8\s+2\.36 s\s+\+1\.87 s/);
      const bars = await driver.evaluate(() =>
        [...document.querySelectorAll(".timeline .gap")].map((bar) => bar.getBoundingClientRect().width),
      );
      assert.equal(Math.max(...bars), bars[7]);
      assert.ok(bars.every((width) => width >= 2));
      const legend = await driver.text(".legend");
      for (const words of ["text 6", "tools 2", "problems 1", "adds nothing 2"])
        assert.ok(legend.replace(/\s+/g, " ").includes(words), legend);
    },
  },
];
