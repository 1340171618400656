// Quick builds that run from the sources in js/, neither optimised nor bundled.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../paths.mjs";
import { compile } from "./compile.mjs";
import { adapt } from "./glue.mjs";
import { PLANTED, QUICK } from "./modules.mjs";
import { whenChanged } from "./stamp.mjs";

/** @import { Report } from "./compile.mjs" */
/** @import { Module } from "./modules.mjs" */

/** Builds what npm start runs. Resolves with the URL of the entry. @param {Report} report */
export const buildForStart = (report) => buildQuick(QUICK, report);

/** Builds what tests/faults runs. */
export const buildPlanted = () => buildQuick(PLANTED);

/** @param {Module} module @param {Report} [report] */
async function buildQuick(module, report) {
  const { folder } = module;
  const entry = `${folder}/js/entries/node.js`;
  await compile(module, report);
  const compiled = ["respool.js", "respool_bg.wasm"].map((file) => `${folder}/wasm/${file}`);
  await whenChanged(
    `copy ${folder}`,
    { inputs: ["js", ...compiled, "scripts/build/glue.mjs", "scripts/build/quick.mjs"], outputs: [entry] },
    async () => {
      const [glue, bytes] = compiled.map((file) => readFileSync(join(ROOT, file)));
      rmSync(join(ROOT, folder, "js"), { recursive: true, force: true });
      cpSync(join(ROOT, "js"), join(ROOT, folder, "js"), { recursive: true });
      write(`${folder}/pkg/wasm/respool.js`, adapt(glue.toString()));
      write(`${folder}/pkg/module-fast-text.js`, `export const base64 = "${bytes.toString("base64")}";\n`);
    },
  );
  return pathToFileURL(join(ROOT, entry)).href;
}

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true });
  writeFileSync(join(ROOT, path), text);
}
