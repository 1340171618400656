// The answer as another interface: the encoder's file is loaded only on demand.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decode, StreamAccumulator } from "respool";
import { packed } from "../../../pkg/module.js";
import { PAGE } from "../../../scripts/www/bundle.mjs";
import { serve } from "../../../scripts/www/serve.mjs";
import { ROOT } from "../../../scripts/paths.mjs";
import { chatBody, chatEvent, listen, openFile, openSample, sse } from "./input.mjs";

const APIS = ["openai-chat", "openai-responses", "anthropic-messages"];

/** Returns the scripts that the page has loaded. */
const scripts = (driver) =>
  driver.evaluate(() => {
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    return loaded.filter((name) => new URL(name).pathname.endsWith(".js"));
  });
const encoders = async (driver) => (await scripts(driver)).filter((name) => /\/encode\.js/.test(name));

const openTab = (driver) => driver.click("[aria-label=Results] [role=tab]", "As …");
const choose = (driver, name) => driver.click(".translation [role=group] button", name);

/** Copies the translation with the page's button and returns it. */
async function copy(driver) {
  await driver.evaluate(() => {
    globalThis.copied = undefined;
  });
  await driver.click(".translation button", "Copy");
  await driver.until(() => globalThis.copied, undefined, "copy");
  return driver.evaluate(() => globalThis.copied);
}

async function copyAs(driver, api, form) {
  await choose(driver, form);
  await choose(driver, api);
  await driver.find(`.translation button[title="Copy the ${form.toLowerCase()} as ${api}"]`);
  return copy(driver);
}

function readStream(text) {
  const accumulator = new StreamAccumulator();
  accumulator.pushBytes(new TextEncoder().encode(text));
  const result = accumulator.finish();
  accumulator.free();
  return result;
}

function sampleOf(name) {
  const { reads } = JSON.parse(readFileSync(join(ROOT, "www", "samples", name), "utf8"));
  const accumulator = new StreamAccumulator();
  for (const { text, base64 } of reads)
    accumulator.pushBytes(Buffer.from(text ?? base64, text === undefined ? "base64" : "utf8"));
  return accumulator.finish();
}

export default [
  {
    name: "an answer as every interface, streamed and complete",
    async run(driver) {
      await listen(driver);
      await openSample(driver, "Bedrock");
      await openTab(driver);
      const known = sampleOf("bedrock-converse.json");
      assert.equal(known.toolCalls.length, 2);
      for (const api of APIS) {
        const { ending, text, toolCalls, response, usage } = readStream(await copyAs(driver, api, "Stream"));
        assert.equal(ending, "complete", api);
        assert.equal(response.apiSpecific.api, api.replace("-", "_"));
        assert.deepEqual([text, toolCalls], [known.text, known.toolCalls], api);
        assert.equal(usage.completionTokens, known.usage.completionTokens, api);
        const body = decode(JSON.parse(await copyAs(driver, api, "Body")));
        assert.equal(body.apiSpecific.api, api.replace("-", "_"));
        assert.equal(body.usage.completionTokens, known.usage.completionTokens, api);
      }
    },
  },
  {
    name: "what another interface has no place for",
    async run(driver) {
      await openSample(driver, "Responses");
      await openTab(driver);
      await choose(driver, "anthropic-messages");
      await driver.says(".translation .lost", "What anthropic-messages has no place for");
      assert.ok((await driver.count(".lost li")) > 0);
      const deltas = (await driver.text(".translation pre")).match(/"text_delta"/g);
      assert.ok(deltas.length > 5, `${deltas.length} deltas: each event passes on its own`);
      await openFile(driver, "body.json", JSON.stringify(chatBody("Only text")));
      await openTab(driver);
      await choose(driver, "openai-responses");
      await driver.says(".translation", "Nothing is lost.");
      await driver.says(".translation pre", '"text": "Only text"');
    },
  },
  {
    name: "saving an answer as another interface",
    async run(driver) {
      await listen(driver);
      await openSample(driver, "Chat: parallel");
      await openTab(driver);
      for (const [form, ending] of [
        ["Stream", "sse"],
        ["Body", "json"],
      ]) {
        const copied = await copyAs(driver, "anthropic-messages", form);
        await driver.click(".translation button", "Download");
        await driver.until((text) => globalThis.shared === text, copied, "file");
        assert.equal(await driver.evaluate(() => globalThis.savedAs), `chat-tool-calls.anthropic-messages.${ending}`);
      }
    },
  },
  {
    name: "a stream that broke off, as another interface",
    async run(driver) {
      await listen(driver);
      await openFile(driver, "broken.sse", sse(chatEvent({ content: "Only the begin" })));
      await openTab(driver);
      const { ending, text, error } = readStream(await copyAs(driver, "anthropic-messages", "Stream"));
      assert.deepEqual([ending, text], ["failed", "Only the begin"]);
      assert.match(error.message, /ended/);
      assert.equal(JSON.parse(await copyAs(driver, "anthropic-messages", "Body")).type, "error");
    },
  },
  {
    name: "in a replay, other interfaces wait for its end",
    async run(driver) {
      await openSample(driver, "Chat: parallel");
      await openTab(driver);
      await choose(driver, "openai-chat");
      await driver.find(".translation pre");
      await driver.click(".player button", "To the start");
      await driver.says("#result-panel", "Available once the response is complete.");
    },
  },
  {
    name: "the encoder is loaded once it is asked for, with the keyboard too",
    async run(driver) {
      await openSample(driver, "Chat: parallel");
      await driver.click("[aria-label=Results] [role=tab]", "Chunk size");
      await driver.press("ArrowRight");
      await driver.says("#result-panel", "The encoder is loaded then.");
      assert.deepEqual(await encoders(driver), []);
      // The panel is next, because it scrolls, and then the first interface.
      await driver.press("Tab");
      await driver.press("Tab");
      await driver.press("Enter");
      await driver.says(".translation pre", "chat.completion.chunk");
      await driver.press("Tab");
      await driver.press("Enter");
      await driver.says(".translation pre", "response.completed");
      assert.equal((await encoders(driver)).length, 1);
      const copies = await driver.evaluate(
        async ({ urls, start }) => {
          const texts = await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
          return texts.reduce((count, text) => count + text.split(start).length - 1, 0);
        },
        { urls: [...new Set(await scripts(driver))], start: packed.header },
      );
      assert.equal(copies, 1, "copies of the main module");
    },
  },
  {
    name: "an encoder that can't be loaded, and then can",
    allows: (complaint) => /ERR_CONNECTION_REFUSED|encode\.js/.test(complaint),
    async run(driver) {
      const server = await serve(PAGE);
      await driver.goto(server.origin);
      await openSample(driver, "Chat: parallel");
      server.close();
      await openTab(driver);
      await choose(driver, "openai-responses");
      await driver.says(".translation [role=alert]", "The encoder couldn’t be loaded.");
      const again = await serve(PAGE, { port: Number(new URL(server.origin).port) });
      try {
        await driver.click(".translation button", "Try again");
        await driver.says(".translation pre", "response.completed");
      } finally {
        again.close();
      }
    },
  },
];
