// The workers in docs/edge-proxy.md when the page leaves early. The tests in workerd check the rest.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { ROOT } from "../../scripts/paths.mjs";
import { startModelServer } from "../server/index.mjs";

const GUIDE = readFileSync(join(ROOT, "docs", "edge-proxy.md"), "utf8");
const [forUseChat, byteForByte] = Array.from(GUIDE.matchAll(/^```mjs\n(.*?)^```$/gms), ([, code]) => code);

/** Imports a worker from a folder in which "respool" is this package. */
async function load(code, name) {
  const folder = join(ROOT, ".tools", "snippets", "edge-proxy-workers");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, code);
  return (await import(pathToFileURL(file))).default;
}

for (const [name, code] of Object.entries({ forUseChat, byteForByte })) {
  test(`${name}: the page leaves while the model is silent`, async () => {
    const worker = await load(code, name);
    const server = await startModelServer({ otherwise: () => ({ text: ["So ", "far ", "and"], fault: { stall: 2 } }) });
    const written = [];
    const kept = [];
    try {
      const env = {
        MODEL_URL: server.urlOf("openai-chat"),
        MODEL_KEY: "key",
        USAGE: { put: async (_, line) => written.push(JSON.parse(line)) },
      };
      const messages = [{ role: "user", content: "Go on", parts: [{ type: "text", text: "Go on" }] }];
      const request = new Request("https://example.test/", { method: "POST", body: JSON.stringify({ messages }) });
      const response = await worker.fetch(request, env, { waitUntil: (promise) => kept.push(promise) });
      const reader = response.body.getReader();
      let text = "";
      const decoder = new TextDecoder();
      while (!text.includes("So ")) text += decoder.decode((await reader.read()).value, { stream: true });
      await reader.cancel();
      assert.equal(kept.length, 1);
      await kept[0];
      assert.deepEqual(
        written.map(({ ending }) => ending),
        ["aborted"],
      );
      assert.equal(await server.received[0].over, "left");
    } finally {
      await server.close();
    }
  });
}
