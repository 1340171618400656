// The verdict: how each kind of capture is named, and where its parts lead.
import assert from "node:assert/strict";
import { chatEvent, fileWith, openFile, openSample, sse } from "./input.mjs";

const utf16 = (text) => Buffer.from(`\ufeff${text}`, "utf16le");
const head = (status, headers = "") => `HTTP/1.1 ${status}\r\n${headers}\r\n`;

/** Name and content of a file, and words of its verdict and advice. */
const KINDS = [
  [
    "page.html",
    "<!doctype html><title>502 Bad Gateway</title>",
    "An HTML page instead of a response: 502 Bad Gateway",
    "A proxy or gateway sent this page",
  ],
  ["noise.bin", Uint8Array.from({ length: 5000 }, (_, index) => (index * 31) & 0xff), "Binary data", "curl --compressed"],
  ["stream.txt", utf16(sse(chatEvent({ content: "Hi" }))), "Broke off in the middle of the text", "curl.exe"],
  ["other.json", '{"answer":42}', "JSON of an unknown interface", "write a codec"],
  ["other.sse", 'event: tick\ndata: {"n":1}\n\n', "A stream of an unknown interface", "write a codec"],
  ["ui.sse", 'data: {"type":"text-delta","id":"0","delta":"Hi"}\n\n', "of the AI SDK", "Capture the provider's response"],
  ["empty.sse", "", "The capture is empty", "curl -i"],
  ["alive.sse", ": keep-alive\n\n: keep-alive\n\n", "No data", "without an answer"],
  ["curl.txt", "curl: (28) Operation timed out after 30000 milliseconds", "Plain text", "error of curl"],
  ["half.json", '{"object":"chat.completion","choices":[{"message":{"content":"Hi', "Broke off in a JSON body", "cut"],
  ["first.sse", sse(chatEvent({ content: "Hi" })).slice(0, 60), "Broke off in event 1, which is half a JSON object", "curl -N"],
  ["smart.json", "{“choices”:[{“message”:{“content”:“Hi”}}]}", "The JSON isn't valid", "typographic"],
  ["smart.sse", "data: {“choices”:[{“delta”:{“content”:“Hi”}}]}\n\n", "Event 1 isn't JSON", "typographic"],
  ["stamps.log", `2026-11-26T15:00:01Z ${sse(chatEvent({ content: "Hi" }))}`, "Plain text", "as in a log"],
  ["brackets.log", `[15:00:01] ${sse(chatEvent({ content: "Hi" }))}`, "The JSON isn't valid", "as in a log"],
  ["literal.txt", JSON.stringify(sse(chatEvent({ content: "Hi" }))), "Plain text", "a string literal"],
  ["base64.txt", Buffer.from(sse(chatEvent({ content: "Hi" }))).toString("base64"), "Plain text", "base64 -d"],
  [
    "status.txt",
    `${head("429 Too Many Requests", "retry-after: 7\r\n")}{"error":{"message":"Slow down"}}`,
    "HTTP 429 Too Many Requests: Slow down",
    "Wait, then retry",
  ],
  [
    "error.sse",
    `${sse(chatEvent({ content: "Hi" }))}data: {"error":{"message":"Overloaded","type":"overloaded_error"}}\n\n`,
    "The provider reported an error in event 2",
    "overloaded",
  ],
  ["length.sse", sse(chatEvent({ content: "Hi" }, { finish_reason: "length" })), "Cut by the token limit", "Raise the limit"],
  [
    "bad.sse",
    sse(
      chatEvent(
        { tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{oops" } }] },
        { finish_reason: "tool_calls" },
      ),
    ),
    "aren't valid JSON",
    "repair",
  ],
];

export default [
  {
    name: "verdict: a stream that broke, with links to its events and bytes",
    async run(driver) {
      await openSample(driver, "Cut off");
      assert.equal(
        (await driver.text(".verdict h2")).replace(/\s+/g, " ").trim(),
        "Broke off after 2.48 s in the arguments of depth: no finish reason, no [DONE]; event 9 is half a JSON object.",
      );
      // The broken event is selected at once.
      await driver.says(".timeline [aria-selected=true] .number", "9");
      assert.equal(await driver.text(".event-detail mark"), '9","choi');
      for (const [words, number, mark] of [
        ["in the arguments of", "11"],
        ["no finish reason", "11", "}"],
        ["after 2.48 s", "11"],
        ["event 9", "9", '9","choi'],
        ["1.87 s", "8"],
      ]) {
        await driver.click(".verdict a", words);
        await driver.says(".event-detail h2", `Event ${number}`);
        if (mark !== undefined) await driver.says(".event-detail mark", mark);
      }
    },
  },
  {
    name: "verdict: one line for a good answer",
    async run(driver) {
      await openSample(driver, "Anthropic");
      assert.match(
        await driver.text(".verdict"),
        /Complete: the model calls set_reminder and waits for the result, after 4\.38 s, 215 events, 750 tokens\./,
      );
      assert.equal(await driver.count(".verdict .reasons"), 0);
      await driver.choose("select", "Sample", "A batch");
      await driver.says(".verdict", "Complete: the model ended its answer (stop), 31 tokens.");
    },
  },
  {
    name: "verdict: captures that aren't an answer, and what to do",
    async run(driver) {
      for (const [name, content, title, advice] of KINDS) {
        await openFile(driver, name, content);
        await driver.says(".source .name", name);
        await driver.says(".verdict h2", title);
        await driver.says(".verdict .advice", advice);
      }
    },
  },
  {
    name: "verdict: a limit of a proxy, by the time",
    async run(driver) {
      const reads = [0, 400, 60_020].map((time, index) => ({ time, text: sse(chatEvent({ content: `word ${index} ` })) }));
      await openFile(driver, "slow.capture.json", JSON.stringify({ format: "respool-capture", version: 1, name: "slow", reads }));
      await driver.says(".verdict h2", "Broke off after 60.02 s");
      await driver.says(".verdict .advice", "almost exactly 60 s");
    },
  },
  {
    name: "verdict: a file that isn't gzip",
    async run(driver) {
      await driver.upload("input[type=file]", fileWith("x.gz", Uint8Array.of(0x1f, 0x8b, 1, 2, 3)));
      await driver.says("[role=status]", "gzip data is corrupt");
    },
  },
];
