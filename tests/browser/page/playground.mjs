// The playground, against a local model server.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { startModelServer } from "../../server/index.mjs";
import { audit, loadAxe } from "./accessibility.mjs";
import { paste } from "./input.mjs";

const TOOLS = '[{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}]';
const INTERFACES = [
  { api: "openai-chat", title: "Chat completions", key: "authorization" },
  { api: "openai-responses", title: "Responses", key: "authorization" },
  { api: "anthropic-messages", title: "Messages", key: "x-api-key" },
  { api: "gemini", title: "Gemini", key: "x-goog-api-key", version: "v1beta", isInPath: true },
  { api: "gemini-interactions", title: "Interactions", key: "x-goog-api-key", version: "v1beta" },
  { api: "bedrock-converse", title: "Bedrock", key: "authorization", version: "", isInPath: true },
  { api: "ollama-chat", title: "Ollama", key: "authorization", version: "" },
  { api: "cohere-chat", title: "Cohere", key: "authorization", version: "v2" },
];

async function withServer(work) {
  const server = await startModelServer();
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

async function fillIn(driver, { base, title = "Chat completions", key = "sk-secret", prompt = "Weather in Bodø?", tools }) {
  if ((await driver.count(".playground")) === 0) await driver.click("button", "Playground");
  await driver.choose(".playground select", "API", title);
  for (const [label, text] of [
    ["Base URL", base],
    ["API key", key],
    ["Model", "stub"],
    ["Prompt", prompt],
  ])
    await driver.fill(".playground :is(input, textarea)", label, text);
  if (tools !== undefined) {
    await driver.evaluate(() => (document.querySelector(".playground details").open = true));
    await driver.fill(".playground textarea", "Definitions", tools);
  }
}

/** Some checks are about failed requests, which the browser logs. */
const isNetworkError = (complaint) => /Failed to load resource|CORS|Cross-Origin|NetworkError|ERR_|blocked/i.test(complaint);

export default [
  ...INTERFACES.map(({ api, title, key, version = "v1", isInPath = false }) => ({
    name: `playground: ${api}, with tools`,
    async run(driver) {
      await withServer(async (server) => {
        const turn = {
          text: "One moment.",
          toolCalls: [{ name: "get_weather", arguments: { city: "Bodø" } }],
          usage: { prompt: 10, completion: 8 },
        };
        const conversation = server.script([turn, { text: "Wrap up warm." }]);
        await fillIn(driver, { base: `${conversation.url}/${version}/`, title, tools: TOOLS });
        await driver.click("button", "Send");
        await driver.says(".tool-card", 'city: "Bodø"');
        await driver.says(".badges", "complete");
        assert.match(await driver.text(".badges"), new RegExp(api));
        assert.match(await driver.text(".answer"), /One moment\./);
        const [{ headers, body }] = conversation.received;
        assert.match(headers[key], /sk-secret/);
        // Some URLs contain the model and request the stream.
        assert.deepEqual([body.model, body.stream], isInPath ? [undefined, undefined] : ["stub", true]);
        const [tool] = body.tools ?? body.toolConfig.tools;
        const definition = tool.function ?? tool.functionDeclarations?.[0] ?? tool.toolSpec ?? tool;
        assert.equal(definition.name, "get_weather");
        assert.ok(definition.parameters ?? definition.input_schema ?? definition.parametersJsonSchema ?? definition.inputSchema);
        assert.equal(
          await driver.evaluate(() =>
            JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]).includes("sk-secret"),
          ),
          false,
        );
        await driver.says(".facts", "to first delta");
        // The conversation continues with the tool's result.
        await driver.fill(".tool-results textarea", "get_weather", "7 °C");
        await driver.click("button", "Send the results");
        await driver.says(".verdict", "Complete: the model ended its answer");
        await driver.says(".answer", "Wrap up warm.");
        assert.ok(JSON.stringify(conversation.received[1].body).includes("7 °C"));
      });
    },
  })),
  {
    name: "playground: runs with a system prompt, repeated and side by side, by Ctrl+Enter",
    async run(driver) {
      await withServer(async (server) => {
        const conversation = server.script([{ text: "First." }, { text: "Second." }, { text: "Third." }]);
        await fillIn(driver, { base: `${conversation.url}/v1` });
        await driver.fill(".playground textarea", "System prompt", "Be brief.");
        await driver.evaluate(() => {
          const prompt = [...document.querySelectorAll(".playground textarea")].at(-2);
          prompt.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true }));
        });
        await driver.says(".answer", "First.");
        await driver.says(".runs li", "Complete");
        const [{ body }] = conversation.received;
        assert.deepEqual(body.messages[0], { role: "system", content: "Be brief." });
        await driver.click("button", "Repeat run 1");
        await driver.says(".answer", "Second.");
        await driver.until(() => document.querySelectorAll(".runs li").length === 2, undefined, "two runs");
        assert.deepEqual(conversation.received[1].body, body);
        assert.equal(conversation.received[1].headers.authorization, "Bearer sk-secret");
        for (const number of [1, 2]) await driver.click(".runs input", `Compare run ${number}`);
        await driver.click(".runs button", "Compare");
        await driver.says(".side-run", "First.");
        await loadAxe(driver);
        await audit(driver, "side by side");
        const sides = await driver.evaluate(() => [...document.querySelectorAll(".side-run")].map((side) => side.innerText));
        assert.match(sides[0], /1 · stub[\s\S]*Complete[\s\S]*First\./);
        assert.match(sides[1], /2 · stub[\s\S]*Complete[\s\S]*Second\./);
        await driver.click("button", "Close the capture");
        await driver.find(".start");
        assert.equal(await driver.evaluate(() => document.querySelectorAll(".side-run").length), 0);
        await driver.click(".runs button.link", "1 · stub");
        await driver.says(".answer", "First.");
        await driver.click("[aria-label=Results] [role=tab]", "Exchange");
        await driver.says("#result-panel", "Be brief.");
        assert.doesNotMatch(await driver.text("#result-panel"), /sk-secret/);
      });
    },
  },
  {
    name: "playground: a pasted cURL command",
    async run(driver) {
      await withServer(async (server) => {
        const conversation = server.script([{ text: "By curl." }]);
        const command = [
          `$ curl -N '${conversation.url}/v1/chat/completions' \\`,
          `  -H "Authorization: Bearer sk-secret" -H 'content-type: application/json' --compressed \\`,
          `  --data-raw $'{"model":"stub","stream":true,"messages":[{"role":"user","content":"It\\'s me"}]}' | tee x.sse`,
        ].join("\n");
        await paste(driver, command);
        await driver.find(".playground");
        assert.equal(await driver.evaluate(() => document.querySelector(".playground select").value), "curl");
        assert.doesNotMatch(await driver.evaluate(() => document.querySelectorAll(".playground textarea")[0].value), /sk-secret/);
        await driver.click("button", "Send");
        await driver.says(".answer", "By curl.");
        const [{ headers, body }] = conversation.received;
        assert.equal(headers.authorization, "Bearer sk-secret");
        assert.equal(body.messages[0].content, "It's me");
      });
    },
  },
  {
    name: "playground: stop",
    async run(driver) {
      await withServer(async (server) => {
        const conversation = server.script([{ text: ["So ", "far ", "and ", "no ", "further"], fault: { stall: 4 } }]);
        await fillIn(driver, { base: `${conversation.url}/v1` });
        await driver.click("button", "Send");
        await driver.says(".answer", "So far");
        assert.match(await driver.text(".badges"), /open/);
        await driver.click("button", "Stop");
        await driver.says(".badges", "aborted");
        await driver.find("button", "Send");
        assert.equal(await driver.text(".playground [role=alert]"), "");
        assert.equal(await conversation.received[0].over, "left");
        await driver.click("[aria-label=Results] [role=tab]", "As …");
        await driver.click(".translation button", "anthropic-messages");
        await driver.says(".translation pre", "message_start");
        const [, message] = /event: error\s+data: .*"message":"([^"]*)"/.exec(await driver.text(".translation pre"));
        assert.match(message, /abort|stopped/i);
      });
    },
  },
  {
    name: "playground: explaining failures",
    allows: isNetworkError,
    async run(driver) {
      await withServer(async (server) => {
        const conversation = server.script([
          { status: 401, error: { message: "Incorrect API key" } },
          { status: 404, error: { message: "No such model" } },
          { text: "Half of", fault: { cut: 2 } },
        ]);
        await fillIn(driver, { base: `${conversation.url}/v1` });
        await driver.click("button", "Send");
        await driver.says(".playground [role=alert]", "rejected the API key (401)");
        await driver.says(".answer", "Incorrect API key");
        await driver.click("button", "Send");
        await driver.says(".playground [role=alert]", "404");
        await driver.click("button", "Send");
        await driver.says(".playground [role=alert]", "The connection broke");
        await driver.says(".badges", "truncated");
      });
      const silent = createServer((_, response) => response.end("{}"));
      await new Promise((resolve) => silent.listen(0, "127.0.0.1", resolve));
      const { port } = silent.address();
      await fillIn(driver, { base: `http://127.0.0.1:${port}/v1` });
      await driver.click("button", "Send");
      await driver.says(".playground [role=alert]", "OLLAMA_ORIGINS=http://127.0.0.1");
      silent.close();
      await fillIn(driver, { base: `http://127.0.0.1:${port}/v1` });
      await driver.click("button", "Send");
      await driver.says(".playground [role=alert]", "Is the server running");
    },
  },
  {
    name: "playground: a redirect doesn't leak the key",
    allows: isNetworkError,
    async run(driver) {
      const received = [];
      const elsewhere = createServer((request, response) => {
        received.push(request.method);
        response.writeHead(200, { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }).end("{}");
      });
      await new Promise((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
      await withServer(async (server) => {
        const location = `http://127.0.0.1:${elsewhere.address().port}/`;
        const conversation = server.script([{ status: 307, headers: { location }, body: "" }]);
        await fillIn(driver, { base: `${conversation.url}/v1`, title: "Messages" });
        await driver.click("button", "Send");
        await driver.says(".playground [role=alert]", "No response");
        assert.deepEqual([conversation.received.length, received], [1, []]);
      });
      elsewhere.close();
    },
  },
  {
    name: "playground: an invalid form",
    async run(driver) {
      await fillIn(driver, { base: "http://127.0.0.1:1/v1", tools: "[{" });
      await driver.click("button", "Send");
      await driver.says(".playground [role=alert]", "The tools aren't valid JSON");
      await fillIn(driver, { base: "http://127.0.0.1:1/v1", tools: '[{"parameters":{}}]' });
      await driver.click("button", "Send");
      await driver.says(".playground [role=alert]", "Tool 1 has no name");
      await fillIn(driver, { base: "ftp://127.0.0.1", tools: "" });
      await driver.click("button", "Send");
      await driver.says(".playground [role=alert]", "must start with http");
    },
  },
];
