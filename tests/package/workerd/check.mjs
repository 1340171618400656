// workerd, the runtime of Cloudflare Workers: bundles Workers as Cloudflare's tools do, and sends each a request. One Worker
// checks the package; those of the guides ask a model.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { ROOT } from "../../../scripts/paths.mjs";
import { startModelServer } from "../../server/index.mjs";
import { weatherTurn } from "../../server/weather.mjs";

const folder = process.argv[2];
const worker = join(folder, "workerd", "worker.mjs");

/** Keeps WebAssembly modules as files beside the bundle, whether the package or the Worker imports them. */
const moduleBeside = {
  name: "module-beside",
  setup(build) {
    build.onResolve({ filter: /\.wasm$/ }, ({ path }) => ({ path: `./${basename(path)}`, external: true }));
  },
};

/** Returns the Workers of a guide. */
function workersIn(guide) {
  const text = readFileSync(join(ROOT, "docs", guide), "utf8");
  return Array.from(text.matchAll(/^```mjs\n(.*?)^```$/gms), ([, code]) => code);
}

/** Runs `work` with a Worker, and resolves with its result. */
async function withWorker(contents, bindings, work, resolveDir = join(folder, "workerd")) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, sourcefile: worker },
    bundle: true,
    format: "esm",
    write: false,
    conditions: ["workerd", "worker", "browser"],
    plugins: [moduleBeside],
  });
  const miniflare = new Miniflare({
    compatibilityDate: "2026-01-01",
    bindings,
    kvNamespaces: ["USAGE"],
    modules: [
      { type: "ESModule", path: "worker.mjs", contents: outputFiles[0].text },
      ...["respool.wasm", "respool-core.wasm", "respool-encode.wasm"].map((path) => ({
        type: "CompiledWasm",
        path,
        contents: readFileSync(join(folder, "node_modules/respool/pkg", path)),
      })),
    ],
  });
  try {
    return await work(miniflare);
  } finally {
    await miniflare.dispose();
  }
}

async function answerOf(miniflare, init) {
  const response = await miniflare.dispatchFetch("http://localhost/", init);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** Runs `work` with a Worker that asks a model; `otherwise` returns the model's answers. */
async function withModel(contents, otherwise, work) {
  const server = await startModelServer({ otherwise });
  try {
    const bindings = { MODEL_URL: server.urlOf("openai-chat"), MODEL_KEY: "key" };
    await withWorker(contents, bindings, (miniflare) => work(miniflare, server));
  } finally {
    await server.close();
  }
}

/** Returns the records that a Worker has written to its namespace, which may happen only after its answer was read. */
async function recorded(miniflare) {
  const usage = await miniflare.getKVNamespace("USAGE");
  for (;;) {
    const { keys } = await usage.list();
    if (keys.length > 0) return Promise.all(keys.map(({ name }) => usage.get(name, "json")));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const outcome = await withWorker(readFileSync(worker, "utf8"), {}, answerOf);

const weather = workersIn("request-runner.md").find((code) => code.includes("export default"));
await withModel(
  weather,
  ({ body }) => weatherTurn(body),
  async (miniflare, { received }) => {
    assert.equal(await answerOf(miniflare), "One moment. It is 7 °C in Bodø.");
    const [first, second] = received;
    assert.equal(first.headers.authorization, "Bearer key");
    assert.deepEqual(second.body.messages.at(-1), {
      role: "tool",
      tool_call_id: "call_1",
      content: '{"city":"Bodø","degrees":7}',
    });
  },
);

const [forUseChat, byteForByte] = workersIn("edge-proxy.md");
const ferry = { text: ["The ferry", " leaves at 9:35."], usage: { prompt: 9, completion: 6 } };
await withModel(
  forUseChat,
  () => ferry,
  async (miniflare, { received }) => {
    const messages = [{ role: "user", parts: [{ type: "text", text: "Ferry?" }] }];
    const text = await answerOf(miniflare, { method: "POST", body: JSON.stringify({ messages }) });
    assert.match(text, /"delta":"The ferry".*"delta":" leaves at 9:35\.".*\[DONE\]/s);
    assert.deepEqual(received[0].body.messages, [{ role: "user", content: "Ferry?" }]);
    assert.deepEqual(await recorded(miniflare), [{ ending: "complete", tokens: 15, calls: [], warnings: [] }]);
  },
);
await withModel(
  byteForByte,
  () => ferry,
  async (miniflare, { received }) => {
    const messages = [{ role: "user", content: "Ferry?" }];
    const text = await answerOf(miniflare, { method: "POST", body: JSON.stringify({ messages, model: "the-largest" }) });
    assert.match(text, /^data: \{.*The ferry.*data: \[DONE\]/s);
    assert.equal(received[0].body.model, "gpt-4.1-mini");
    assert.deepEqual(await recorded(miniflare), [{ ending: "complete", tokens: 15 }]);
  },
);

// The gateway that the package contains.
const gateway = readFileSync(join(folder, "node_modules/respool/examples/gateway/worker.js"), "utf8");
const server = await startModelServer({ otherwise: () => ferry });
try {
  const url = server.urlOf("openai-chat");
  const bindings = { GATEWAY_KEY: "client", MODEL_API: "openai-chat", MODEL_URL: url, MODEL_KEY: "key", MODEL: "stub" };
  await withWorker(
    gateway,
    bindings,
    async (miniflare) => {
      const body = { model: "any", max_tokens: 9, stream: true, messages: [{ role: "user", content: "Ferry?" }] };
      const ask = (path, more) =>
        miniflare.dispatchFetch(`http://localhost${path}`, {
          method: "POST",
          headers: { "x-api-key": "client" },
          body: JSON.stringify({ ...body, input: "Ferry?", ...more }),
        });
      const messages = await ask("/v1/messages");
      assert.match(await messages.text(), /event: content_block_delta.*The ferry.*event: message_stop/s);
      const responses = await ask("/v1/responses");
      assert.match(await responses.text(), /event: response.output_text.delta.*The ferry.*event: response.completed/s);
      const refused = await ask("/v1/messages", { tools: [{ type: "web_search_20250305", name: "web_search" }] });
      assert.deepEqual([refused.status, (await refused.json()).error.type], [400, "invalid_request_error"]);
    },
    join(folder, "node_modules/respool/examples/gateway"),
  );
} finally {
  await server.close();
}
console.log(outcome);
