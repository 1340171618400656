// The store of docs/react.md with the code of its section on tools: calls of several turns stay apart.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { ROOT } from "../../scripts/paths.mjs";
import { startModelServer } from "../server/index.mjs";

const server = await startModelServer();
after(() => server.close());

const guide = readFileSync(join(ROOT, "docs/react.md"), "utf8");
const [, store] = /^### `answer\.js`\n.*?^```mjs\n(.*?)^```$/ms.exec(guide);
const [, reading] = /^## Tools\n.*?^```mjs\n(.*?)^```$/ms.exec(guide);

/** Returns the `startAnswer` of this code. */
async function load(name, code) {
  const folder = join(ROOT, ".tools", "snippets");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, code);
  return (await import(pathToFileURL(file))).startAnswer;
}

/** Returns the guide's `startAnswer`, with the test's tools and this URL. */
function storeWith(url) {
  const imports = `import { fetchTransport, runRequest, tool } from "respool";
const tools = { tide: tool({ description: "The tide", execute: ({ port }) => ({ port, isHigh: true }) }) };
`;
  const code = store.replace(/(\n {4}try \{\n).*?(\n {4}\} catch)/s, (_, start, end) => start + reading + end);
  assert.notEqual(code, store);
  return load("react-tools.mjs", imports + code.replaceAll("/api/chat", url));
}

/** Resolves with the final state of the store. */
function endOf(answer) {
  return new Promise((resolve) => {
    answer.subscribe(() => answer.get().state !== "streaming" && resolve(answer.get()));
  });
}

/** Replaces the frames of a browser during a test. */
function withFrames(t) {
  globalThis.requestAnimationFrame = (run) => setTimeout(run, 0);
  globalThis.cancelAnimationFrame = clearTimeout;
  t.after(() => {
    delete globalThis.requestAnimationFrame;
    delete globalThis.cancelAnimationFrame;
  });
}

test("the store itself tells how the answer ended, and shows one of several", async (t) => {
  withFrames(t);
  const startAnswer = await load("react-answer.mjs", store);
  let body;
  t.mock.method(globalThis, "fetch", async () => new Response(body));
  const call = { index: 0, id: "a", function: { name: "tide", arguments: '{"port":"Bo' } };
  const end = (finish_reason) => ({ choices: [{ index: 0, delta: {}, finish_reason }] });
  const CASES = [
    [[{ choices: [{ index: 0, delta: { refusal: "No." } }] }, end("stop")], "No.", "refused", []],
    [[{ choices: [{ index: 0, delta: { content: "A" } }] }, end("length")], "A", "truncated", []],
    [[{ choices: [{ index: 0, delta: { tool_calls: [call] } }] }], "", "truncated", ["truncated"]],
    [
      ["A", "B"].map((content, index) => ({ choices: [{ index, delta: { content }, finish_reason: "stop" }] })),
      "A",
      "complete",
      [],
    ],
  ];
  for (const [chunks, text, state, statuses] of CASES) {
    body = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
    const shown = await endOf(startAnswer([]));
    assert.deepEqual([shown.text, shown.state, shown.calls.map(({ status }) => status)], [text, state, statuses]);
  }
});

test("shows the arguments of each call, although each turn counts from 0", async (t) => {
  withFrames(t);
  const call = (port) => ({ toolCalls: [{ id: "call_0", name: "tide", arguments: { port } }] });
  const conversation = server.script([call("Bodø"), call("Oslo"), { text: "High in both." }]);
  const startAnswer = await storeWith(conversation.urlOf("openai-chat"));
  const { text, state, calls, error } = await endOf(startAnswer([{ role: "user", content: "Tides?" }]));
  assert.deepEqual([text, state, error], ["High in both.", "complete", undefined]);
  assert.deepEqual(
    calls.map(({ status, input }) => [status, input]),
    [
      ["complete", { port: "Bodø" }],
      ["complete", { port: "Oslo" }],
    ],
  );
});
