// workerd, the runtime of Cloudflare Workers: bundles the Worker as its tools do, and sends it a request.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

const folder = process.argv[2];
const { outputFiles } = await build({
  entryPoints: [join(folder, "workerd", "worker.mjs")],
  bundle: true,
  format: "esm",
  write: false,
  conditions: ["workerd", "worker", "browser"],
  external: ["*.wasm"],
});
const miniflare = new Miniflare({
  compatibilityDate: "2026-01-01",
  modules: [
    { type: "ESModule", path: "worker.mjs", contents: outputFiles[0].text },
    { type: "CompiledWasm", path: "respool.wasm", contents: readFileSync(join(folder, "node_modules/respool/pkg/respool.wasm")) },
  ],
});
try {
  const response = await miniflare.dispatchFetch("http://localhost/");
  if (!response.ok) throw new Error(await response.text());
} finally {
  await miniflare.dispose();
}
