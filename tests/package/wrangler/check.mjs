// Wrangler: runs the files that it would deploy in workerd.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { ROOT } from "../../../scripts/paths.mjs";
import { runCommand } from "../../../scripts/run-command.mjs";

const folder = join(process.argv[2], "wrangler");
const built = join(folder, "built");
const wrangler = join(ROOT, "node_modules", "wrangler", "bin", "wrangler.js");
await runCommand(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", built], {
  cwd: folder,
  env: { WRANGLER_SEND_METRICS: "false", WRANGLER_LOG_PATH: join(folder, "logs"), CI: "1" },
});

const files = readdirSync(built);
const modulesOf = (ending, type) =>
  files.filter((path) => path.endsWith(ending)).map((path) => ({ type, path, contents: readFileSync(join(built, path)) }));
// The first one is the Worker.
const modules = [...modulesOf(".js", "ESModule"), ...modulesOf(".wasm", "CompiledWasm")];
const miniflare = new Miniflare({ compatibilityDate: "2026-01-01", modules });
try {
  const response = await miniflare.dispatchFetch("http://localhost/");
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  console.log(text);
} finally {
  await miniflare.dispose();
}
