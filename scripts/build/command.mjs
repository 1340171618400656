// bin/*.js → pkg/cli/: the command line with the libraries that it uses, on the package itself.
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PKG, ROOT } from "../paths.mjs";
import { filesOf, SETTINGS } from "./bundle.mjs";
import { adaptedGlue } from "./glue.mjs";
import { licencesOf } from "./licences.mjs";
import { MODULES } from "./modules.mjs";
import { whenChanged } from "./stamp.mjs";

/** What is run; and what is tested and measured by itself. */
const ENTRIES = ["respool.js", "worker.js", "reader.js"];
const FOLDER = join(PKG, "cli");
const MODULE = MODULES.fast;

/** Libraries of the other module system ask for parts of Node in their own way. */
const REQUIRE = 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);';

export async function bundleCommand() {
  await whenChanged(
    "command",
    {
      inputs: ["bin", "js", ...filesOf(MODULE), "package.json", "package-lock.json", "scripts/build"],
      outputs: [...ENTRIES, "respool.wasm", "LICENCES.txt"].map((output) => `pkg/cli/${output}`),
    },
    async () => {
      const { build } = await import("esbuild");
      rmSync(FOLDER, { recursive: true, force: true }); // the names of shared parts change with what is in them
      const { metafile } = await build({
        ...SETTINGS,
        absWorkingDir: ROOT,
        entryPoints: ENTRIES.map((entry) => join("bin", entry)),
        outdir: FOLDER,
        splitting: true,
        format: "esm",
        platform: "node",
        target: "node20",
        external: ["respool"],
        alias: { "emoji-regex": join(ROOT, "bin", "emoji_regex.cjs") },
        plugins: [adaptedGlue(MODULE)],
        banner: { js: REQUIRE },
        metafile: true,
      });
      copyFileSync(join(ROOT, MODULE.folder, "respool.wasm"), join(FOLDER, "respool.wasm"));
      writeFileSync(join(FOLDER, "LICENCES.txt"), licencesOf(metafile));
    },
  );
}
