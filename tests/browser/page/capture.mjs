// Opening captures.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT } from "../../../scripts/paths.mjs";
import { PAGE } from "../../../scripts/www/bundle.mjs";
import { serve } from "../../../scripts/www/serve.mjs";
import { chatBody, chatStream, fileWith, openFile, openSample, paste } from "./input.mjs";

const SAMPLE = readFileSync(join(ROOT, "samples", "chat-tool-calls.sse"));

/** Dispatches a drop or paste event as a browser would. */
const dispatch = (driver, type, { name, text = "", isUnreadable = false }) =>
  driver.evaluate(
    (given) => {
      const data = new DataTransfer();
      if (given.isUnreadable) File.prototype.arrayBuffer = () => Promise.reject(new DOMException("Not found", "NotFoundError"));
      if (given.name) data.items.add(new File([given.text], given.name));
      else data.setData("text/plain", given.text);
      const event = new Event(given.type, { bubbles: true, cancelable: true });
      // Some browsers drop the data of synthetic events.
      Object.defineProperty(event, given.type === "drop" ? "dataTransfer" : "clipboardData", { value: data });
      document.body.dispatchEvent(event);
    },
    { type, name, text, isUnreadable },
  );

export default [
  {
    name: "a file, plain and compressed",
    async run(driver) {
      await openFile(driver, "answer.sse", SAMPLE);
      assert.match(await driver.text(".badges"), /openai-chat/);
      await driver.click("button", "Close the capture");
      await driver.find(".start");
      await openFile(driver, "answer.sse.gz", gzipSync(SAMPLE));
      assert.match(await driver.text(".answer"), /find_departures/);
    },
  },
  {
    name: "pasting into the field, pasting anywhere, dropping",
    async run(driver) {
      await paste(driver, chatStream(["By the ", "field"]));
      await driver.says(".answer", "By the field");
      await dispatch(driver, "paste", { text: chatStream(["By the clipboard"]) });
      await driver.says(".answer", "By the clipboard");
      await dispatch(driver, "drop", { name: "dropped.sse", text: chatStream(["By the mouse"]) });
      await driver.says(".answer", "By the mouse");
      assert.match(await driver.text(".source .name"), /dropped\.sse/);
    },
  },
  {
    name: "JSON lines and a body",
    async run(driver) {
      await paste(
        driver,
        `${JSON.stringify({ choices: [{ delta: { content: "A " } }] })}\n${JSON.stringify({ choices: [{ delta: { content: "line" }, finish_reason: "stop" }] })}\n`,
      );
      await driver.says(".answer", "A line");
      assert.match(await driver.text(".timeline .toolbar"), /2 events/);
      await dispatch(driver, "paste", { text: JSON.stringify(chatBody("One body"), null, 2) });
      await driver.says(".answer", "One body");
      assert.match(await driver.text(".timeline .toolbar"), /1 event\b/);
      await dispatch(driver, "paste", { text: JSON.stringify({ object: "list", data: [{ embedding: [0.5, 1] }] }) });
      await driver.says(".badges", "openai-embeddings");
      assert.match(await driver.text("#result-panel"), /0\.5/);
    },
  },
  {
    name: "the samples, from the buttons and the list",
    async run(driver) {
      await openSample(driver, "Responses: web search");
      await driver.says(".badges", "openai-responses");
      for (const [title, text] of [
        ["Anthropic", "A day round the island"],
        ["Cut off", "truncated"],
        ["A refusal", "forging"],
        ["Gemini", "Den Helder"],
      ]) {
        await driver.choose("select", "Sample", title);
        await driver.says(".outcome", text);
      }
    },
  },
  {
    name: "a sample of every interface, and AWS's binary messages",
    async run(driver) {
      const messages = readFileSync(join(ROOT, "samples", "bedrock-converse.eventstream"));
      await openFile(driver, "bedrock.eventstream", messages);
      await driver.says(".verdict", "the model calls get_fog");
      await driver.says(".timeline [role=status]", "48 events");
      await driver.click(".timeline [role=option]", "Wittdün");
      await driver.says(".event-detail", ":event-type");
      await driver.says(".event-detail .kind", "contentBlockDelta");
      await driver.says(".event-detail", "Wittdün");
      await driver.click("[aria-label=Event] [role=tab]", "Raw bytes");
      await driver.says(".event-detail pre", "0000  00 00 00");
      await openFile(driver, "cut.eventstream", messages.subarray(0, 4000));
      await driver.says(".verdict", "Broke off");
      await driver.says(".verdict", "no messageStop");
      const chunk = (text, more) => ({ candidates: [{ content: { role: "model", parts: [{ text }] }, index: 0, ...more }] });
      const array = JSON.stringify([chunk('Ebb "at" ]six'), chunk("{ and seven", { finishReason: "STOP" })], null, 2);
      await openFile(driver, "gemini.json", array);
      await driver.says(".answer", 'Ebb "at" ]six{ and seven');
      await driver.says(".timeline [role=status]", "3 events");
      await driver.click(".timeline [role=option]", "{ and seven");
      await driver.click("[aria-label=Event] [role=tab]", "Data");
      await driver.says(".event-detail", 'finishReason: "STOP"');
      for (const [title, api] of [
        ["Gemini", "gemini"],
        ["Interactions", "gemini-interactions"],
        ["Bedrock", "bedrock-converse"],
        ["Ollama", "ollama-chat"],
        ["Cohere", "cohere-chat"],
        ["Workers AI", "workers-ai"],
      ]) {
        await driver.choose("select", "Sample", title);
        await driver.says(".badges .api", api);
        await driver.says(".verdict", "Complete");
        await driver.find(".verdict.is-good");
      }
    },
  },
  {
    name: "the responses in a HAR file",
    async run(driver) {
      const entry = (url, mimeType, text, more) => ({
        time: 812.4,
        request: { method: "POST", url },
        response: { status: 200, content: { mimeType, text, ...more } },
      });
      const stream = Buffer.from(chatStream(["Second"])).toString("base64");
      const entries = [
        entry("https://shop.example/logo.svg", "image/svg+xml", "<svg/>"),
        entry("https://api.example/v1/chat/completions", "application/json", JSON.stringify(chatBody("First"))),
        entry("https://api.example/v1/stream", "text/event-stream", stream, { encoding: "base64" }),
        {
          ...entry("https://api.example/v1/timed", "text/event-stream", ""),
          _eventSourceMessages: [
            ["Th", 100],
            ["ird", 100.75],
          ].map(([content, time]) => ({
            time,
            eventName: "message",
            eventId: "",
            data: JSON.stringify({ choices: [{ delta: { content } }] }),
          })),
        },
      ];
      await openFile(driver, "page.har", JSON.stringify({ log: { version: "1.2", entries } }));
      await driver.says(".answer", "First");
      assert.equal(await driver.count(".entries [role=option]"), 3);
      await driver.click(".entries [role=option]", "/v1/stream");
      await driver.says(".answer", "Second");
      await driver.click(".entries [role=option]", "/v1/timed");
      await driver.says(".answer", "Third");
      await driver.says(".timeline .gap", "+750 ms");
    },
  },
  {
    name: "a HAR file: requests, headers without secrets, status, and failures alone",
    async run(driver) {
      const request = (url, headers = []) => ({
        method: "POST",
        url,
        headers: [{ name: "Authorization", value: "Bearer sk-very-secret" }, ...headers],
        postData: { text: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Ferry?" }] }) },
      });
      const entries = [
        {
          time: 30_004,
          request: request("https://api.example/v1/chat/completions?key=hush"),
          response: {
            status: 504,
            statusText: "",
            headers: [{ name: "Server", value: "nginx" }],
            content: { mimeType: "text/html", text: "<html><title>504 Gateway Time-out</title></html>" },
          },
          timings: { wait: 30_000, receive: 4 },
        },
        {
          time: 12,
          request: request("https://nowhere.example/v1/chat/completions"),
          response: { status: 0, statusText: "", headers: [], content: {}, _error: "net::ERR_NAME_NOT_RESOLVED" },
        },
        {
          request: { method: "GET", url: "https://shop.example/cart.json", headers: [] },
          response: { status: 500, content: { text: "{}" } },
        },
      ];
      await openFile(driver, "failed.har", JSON.stringify({ log: { entries } }));
      await driver.says(".verdict h2", "HTTP 504 Gateway Timeout: 504 Gateway Time-out.");
      await driver.says(".verdict .advice", "raise the proxy's timeout");
      assert.equal(await driver.count(".entries [role=option]"), 2);
      await driver.click("[aria-label=Results] [role=tab]", "Exchange");
      const panel = await driver.text("#result-panel");
      for (const words of [
        /POST https:\/\/api\.example/,
        /hidden \(21 characters\)/,
        /key=hidden/,
        /Server\s*nginx/,
        /Ferry\?/,
        /wait\s*30000\.0 ms/,
      ])
        assert.match(panel, words);
      assert.doesNotMatch(panel, /secret|hush/);
      await driver.click(".entries [role=option]", "nowhere");
      await driver.says(".verdict h2", "No response: net::ERR_NAME_NOT_RESOLVED");
      await driver.says(".verdict .advice", "can't be resolved");
    },
  },
  {
    name: "the lines of a batch result file",
    async run(driver) {
      await openSample(driver, "A batch result file");
      await driver.says(".answer", "from Bodø");
      await driver.click(".entries [role=option]", "hammerfest");
      await driver.says(".answer", "Rate limit reached");
      assert.match(await driver.text(".badges"), /failed/);
      await driver.click(".entries [role=option]", "alta");
      await driver.says(".answer", "from Alta");
    },
  },
  {
    name: "unreadable captures",
    async run(driver) {
      await driver.upload("input[type=file]", fileWith("empty.sse", ""));
      await driver.says(".verdict", "The capture is empty: it has no bytes.");
      await driver.upload("input[type=file]", fileWith("broken.gz", gzipSync(SAMPLE).subarray(0, 12)));
      await driver.says("[role=status]", "gzip data is corrupt");
      await driver.upload("input[type=file]", fileWith("none.har", JSON.stringify({ log: { entries: [] } })));
      await driver.says("[role=status]", "none of its requests went to a language model");
      await openFile(
        driver,
        "junk.bin",
        Uint8Array.from({ length: 5000 }, (_, index) => (index * 31) & 0xff),
      );
      await driver.says(".badges", "failed");
      await dispatch(driver, "drop", { name: "folder", isUnreadable: true });
      await driver.says("[role=status]", "folder can't be read. Is it a folder");
    },
  },
  {
    name: "a stream that was cut in its compressed form",
    async run(driver) {
      const words = Array.from({ length: 4000 }, (_, index) => `word ${(index * 7919) % 4001} `);
      const bytes = gzipSync(chatStream(words));
      await openFile(driver, "cut.sse.gz", bytes.subarray(0, bytes.length >> 1));
      await driver.says(".verdict h2", "Broke off in the middle of the text");
      await driver.says("[role=status]", "The gzip data is corrupt or truncated, or several files in one.");
      await driver.says(".answer", words.slice(0, 20).join(""));
    },
  },
  {
    name: "headers in another encoding, behind a byte order mark, and none at all",
    async run(driver) {
      const stream = Buffer.from(chatStream(["All of it"]));
      const latin = Buffer.from("HTTP/1.1 200 OK\r\nx-sender: J\xfcrgen M\xfcller, K\xf8ge\r\n\r\n", "latin1");
      for (const head of [latin, Buffer.from("\ufeffHTTP/2 200 \r\nx: y\r\n\r\n"), Buffer.from("HTTP/2 200\n\n")]) {
        await openFile(driver, "headers.txt", Buffer.concat([head, stream]));
        await driver.says(".verdict h2", "Complete: the model ended its answer (stop), 2 events.");
        await driver.says(".answer", "All of it");
        await driver.click("button", "Close the capture");
        await driver.find(".start");
      }
    },
  },
  {
    name: "50 MB without a line end",
    async run(driver) {
      await driver.upload("input[type=file]", fileWith("noise.bin", Buffer.alloc(50_000_000, "\u0001é")));
      await driver.says(".verdict h2", "Binary data");
      await driver.click("[aria-label=Event] [role=tab]", "Raw bytes");
      assert.ok((await driver.text(".event-detail")).length < 100_000);
    },
  },
  {
    name: "a capture that is opened while another one is read",
    async run(driver) {
      const content = chatStream(Array.from({ length: 100_000 }, (_, index) => `word ${index} `));
      await driver.upload("input[type=file]", fileWith("large.sse", content));
      await driver.says("[role=status]", "Reading");
      await driver.upload("input[type=file]", fileWith("small.sse", chatStream(["Small"])));
      await driver.says(".answer", "Small");
      assert.match(await driver.text("[role=status]"), /small\.sse is open/);
      // Just as large, so it is read until after the first one would have ended.
      await driver.evaluate(() => {
        const status = document.querySelector("[role=status]");
        const observer = new MutationObserver(() => window.said.push(status.textContent));
        window.said = [];
        observer.observe(status, { childList: true, characterData: true, subtree: true });
      });
      await driver.upload("input[type=file]", fileWith("later.sse", content));
      await driver.says("[role=status]", "later.sse is open");
      const opened = (await driver.evaluate(() => window.said)).filter((said) => said.endsWith("is open."));
      assert.deepEqual(opened, ["later.sse is open."]);
    },
  },
  {
    name: "offline, once loaded",
    async run(driver) {
      const server = await serve(PAGE);
      await driver.goto(server.origin);
      await driver.find(".start");
      server.close();
      await openSample(driver, "Chat: parallel");
      await driver.click("[role=tab]", "Over time");
      await driver.find(".chart canvas");
      await driver.click("[role=tab]", "Chunk size");
      await driver.says(".rechunk", "same result");
    },
  },
];
