// workerd, the runtime of Cloudflare Workers: bundles Workers as its tools do, and sends them a request: one that checks
// the package, and the one of the guide to the request runner, which asks a model.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { ROOT } from "../../../scripts/paths.mjs";
import { startModelServer } from "../../server/index.mjs";
import { weatherTurn } from "../../server/weather.mjs";

const folder = process.argv[2];
const worker = join(folder, "workerd", "worker.mjs");

/** The module stays a file beside the bundle, whether the package or the Worker imports it. */
const moduleBeside = {
  name: "module-beside",
  setup(build) {
    build.onResolve({ filter: /\.wasm$/ }, () => ({ path: "./respool.wasm", external: true }));
  },
};

/** What a Worker answers to a request. */
async function answerOf(contents, bindings) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(folder, "workerd"), sourcefile: worker },
    bundle: true,
    format: "esm",
    write: false,
    conditions: ["workerd", "worker", "browser"],
    plugins: [moduleBeside],
  });
  const miniflare = new Miniflare({
    compatibilityDate: "2026-01-01",
    bindings,
    modules: [
      { type: "ESModule", path: "worker.mjs", contents: outputFiles[0].text },
      { type: "CompiledWasm", path: "respool.wasm", contents: readFileSync(join(folder, "node_modules/respool/pkg/respool.wasm")) },
    ],
  });
  try {
    const response = await miniflare.dispatchFetch("http://localhost/");
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  } finally {
    await miniflare.dispose();
  }
}

const outcome = await answerOf(readFileSync(worker, "utf8"), {});

const guide = readFileSync(join(ROOT, "docs", "request-runner.md"), "utf8");
const [, weather] = guide.match(/^```mjs\n(.*?)^```$/ms);
const server = await startModelServer({ otherwise: ({ body }) => weatherTurn(body) });
try {
  const text = await answerOf(weather, { MODEL_URL: server.urlOf("openai-chat"), MODEL_KEY: "key" });
  assert.equal(text, "One moment. It is 7 °C in Bodø.");
  const [first, second] = server.received;
  assert.equal(first.headers.authorization, "Bearer key");
  assert.deepEqual(second.body.messages.at(-1), { role: "tool", tool_call_id: "call_1", content: '{"city":"Bodø","degrees":7}' });
} finally {
  await server.close();
}
console.log(outcome);
