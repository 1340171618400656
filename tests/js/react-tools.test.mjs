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

/** Returns the guide's `startAnswer`, with the test's tools and this URL. */
async function storeWith(url) {
  const folder = join(ROOT, ".tools", "snippets");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "react-tools.mjs");
  const imports = `import { fetchTransport, runRequest, tool } from "respool";
const tools = { tide: tool({ description: "The tide", execute: ({ port }) => ({ port, isHigh: true }) }) };
`;
  const code = store.replace(/(\n {4}try \{\n).*?(\n {4}\} catch)/s, (_, start, end) => start + reading + end);
  assert.notEqual(code, store);
  writeFileSync(file, imports + code.replaceAll("/api/chat", url));
  return (await import(pathToFileURL(file))).startAnswer;
}

/** Resolves with the final state of the store. */
function endOf(answer) {
  return new Promise((resolve) => {
    answer.subscribe(() => answer.get().state !== "streaming" && resolve(answer.get()));
  });
}

test("shows the arguments of each call, although each turn counts from 0", async (t) => {
  globalThis.requestAnimationFrame = (run) => setTimeout(run, 0);
  globalThis.cancelAnimationFrame = clearTimeout;
  t.after(() => {
    delete globalThis.requestAnimationFrame;
    delete globalThis.cancelAnimationFrame;
  });
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
