// The answer: harmless Markdown, reasoning, calls, citations, refusals and problems.
import assert from "node:assert/strict";
import { chatEvent, chatStream, openFile, openSample, sse } from "./input.mjs";

export default [
  {
    name: "Markdown, reasoning, and a call with its arguments",
    async run(driver) {
      await openSample(driver, "Anthropic");
      assert.equal(await driver.text(".markdown h2"), "A day round the island");
      assert.equal(await driver.count(".markdown td"), 8);
      assert.match(await driver.text(".reasoning"), /The user wants to know/);
      assert.match(await driver.text(".tool-card"), /set_reminder\s*complete.*at: "2025-11-22T10:00".*repeat: false/s);
      await driver.click(".toggle input", "Markdown");
      await driver.says(".answer .choice > .plain[data-stream]", "## A day round the island");
    },
  },
  {
    name: "malicious Markdown",
    async run(driver) {
      const harm = [
        '<img src=x onerror="globalThis.harmed = 1"> <script>globalThis.harmed = 2</script>',
        '<svg onload="globalThis.harmed = 3"></svg> <iframe srcdoc="<script>parent.harmed = 4</script>"></iframe>',
        '[a](javascript:globalThis.harmed=5) <a href="javascript:globalThis.harmed=6">b</a> ![c](https://tracker.example/pixel.png)',
        '<form action="https://tracker.example"><input name=key><button>send</button></form> <b style="position:fixed">bold</b>',
        "<style>body { display: none }</style>",
        "[safe](https://safe.example)<br>",
      ];
      await openFile(driver, "harm.sse", chatStream([harm.join("\n\n")]));
      await driver.says(".markdown", "safe");
      assert.equal(await driver.count(".markdown :is(img, script, svg, iframe, form, input, button, style, [style], [id])"), 0);
      const links = await driver.evaluate(() =>
        [...document.querySelectorAll(".markdown a")].map(({ href, rel, target }) => ({ href, rel, target })),
      );
      assert.ok(
        links.every(({ href }) => !href.startsWith("javascript:")),
        JSON.stringify(links),
      );
      const safe = links.find(({ href }) => href.includes("safe.example"));
      assert.deepEqual(safe, { href: "https://safe.example/", rel: "noopener noreferrer nofollow", target: "_blank" });
      for (const link of await driver.evaluate(() => [...document.querySelectorAll(".markdown a")].map((_, index) => index))) {
        await driver.evaluate(
          (index) =>
            document
              .querySelectorAll(".markdown a")
              [index].addEventListener("click", (event) => event.target.href.startsWith("http") && event.preventDefault()),
          link,
        );
        await driver.evaluate((index) => document.querySelectorAll(".markdown a")[index].click(), link);
      }
      assert.equal(await driver.evaluate(() => globalThis.harmed), undefined);
    },
  },
  {
    name: "text that is nested too deeply, or too long, for Markdown",
    async run(driver) {
      for (const [name, text] of [
        ["deep.sse", "> ".repeat(50_000)],
        ["block.sse", "> ".repeat(3900)],
        ["items.sse", "1. ".repeat(2000)],
        ["list.sse", Array.from({ length: 600 }, (_, depth) => `${"  ".repeat(depth)}- deep\n`).join("")],
        ["long.sse", "word ".repeat(2_000_000)],
      ]) {
        await openFile(driver, name, chatStream([text]));
        await driver.says(".source .name", name);
        await driver.says(".verdict h2", "Complete");
        await driver.says(".answer .block", text.slice(0, 40).trim());
      }
    },
  },
  {
    name: "a server tool and a citation",
    async run(driver) {
      await openSample(driver, "Responses");
      assert.equal(await driver.count(".server-tool"), 1);
      assert.match(await driver.text(".server-tool"), /run by the provider\s*web_search/);
      assert.match(await driver.text(".annotations a"), /Winter timetable/);
    },
  },
  {
    name: "a refusal, warnings and a truncated call",
    async run(driver) {
      await openSample(driver, "A refusal");
      assert.match(await driver.text(".notice.refusal"), /can’t help with forging/);
      await driver.choose("select", "Sample", "Cut off");
      await driver.says(".findings", "invalid-event");
      assert.match(await driver.text(".tool-card"), /truncated.*lon: 20\.97.*unit: "met"/s);
      assert.match(await driver.text(".badges"), /truncated/);
    },
  },
  {
    name: "an error mid-stream, several choices, invalid arguments",
    async run(driver) {
      const events = [
        chatEvent({ content: "One" }),
        { choices: [{ index: 1, delta: { content: "Two" } }] },
        chatEvent({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{oops" } }] }),
        chatEvent({}, { finish_reason: "tool_calls" }),
        { error: { message: "Overloaded", type: "server_error" } },
      ];
      await openFile(driver, "mixed.sse", events.map(sse).join(""));
      assert.deepEqual(
        await driver.evaluate(() => [...document.querySelectorAll(".choice > h3")].map(({ textContent }) => textContent)),
        ["Choice 1", "Choice 2"],
      );
      assert.match(await driver.text(".tool-card"), /invalid JSON.*\{oops/s);
      assert.match(await driver.text(".notice.problems"), /provider-error Overloaded/);
      assert.match(await driver.text(".badges"), /failed/);
    },
  },
  {
    name: "usage, timing and API",
    async run(driver) {
      await openSample(driver, "Chat: parallel");
      const facts = await driver.text(".facts");
      for (const fact of [
        /openai-chat/,
        /gpt-4\.1-mini/,
        /prompt tokens\s*214/,
        /total tokens\s*305/,
        /cache read tokens\s*128/,
        /time to first delta\s*\d+ ms/,
        /tool_use\s*tool_calls/,
      ])
        assert.match(facts, fact);
    },
  },
];
