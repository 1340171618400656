// Builds that are ready soon and run from the sources in js/: without optimising and without bundling.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../paths.mjs";
import { compile } from "./compile.mjs";
import { adapt } from "./glue.mjs";
import { PLANTED, QUICK } from "./modules.mjs";
import { whenChanged } from "./stamp.mjs";

/** Builds what npm start runs. `report` gets the progress. Resolves with the URL of the entry. */
export const buildForStart = (report) => buildQuick(QUICK, report);

/** Builds what tests/faults runs. */
export const buildPlanted = () => buildQuick(PLANTED);

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
      write(`${folder}/pkg/module-fast.js`, `export const base64 = "${bytes.toString("base64")}";\n`);
    },
  );
  return pathToFileURL(join(ROOT, entry)).href;
}

function write(path, text) {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true });
  writeFileSync(join(ROOT, path), text);
}
