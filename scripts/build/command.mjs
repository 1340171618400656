// bin/*.js → pkg/cli/: the command line with its libraries.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PKG, ROOT } from "../paths.mjs";
import { filesOf, SETTINGS } from "./bundle.mjs";
import { adaptedGlue } from "./glue.mjs";
import { licencesOf } from "./licences.mjs";
import { MODULES } from "./modules.mjs";
import { whenChanged } from "./stamp.mjs";

/** The command, and the parts that tests and benchmarks import. */
const ENTRIES = ["respool.js", "worker.js", "reader.js"];
const FOLDER = join(PKG, "cli");
const MODULE = MODULES.fast;

/** CommonJS libraries require Node's modules. */
const REQUIRE = 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);';

export async function bundleCommand() {
  await whenChanged(
    "command",
    {
      inputs: ["bin", "js", ...filesOf(MODULE), "package.json", "package-lock.json", "scripts/build"],
      outputs: [...ENTRIES, "LICENCES.txt"].map((output) => `pkg/cli/${output}`),
    },
    async () => {
      const { build } = await import("esbuild");
      rmSync(FOLDER, { recursive: true, force: true }); // the names of shared chunks depend on their content
      const { metafile } = await build({
        ...SETTINGS,
        absWorkingDir: ROOT,
        entryPoints: ENTRIES.map((entry) => join("bin", entry)),
        outdir: FOLDER,
        splitting: true,
        format: "esm",
        platform: "node",
        target: "node20",
        external: ["respool", "respool/encode"],
        alias: { "emoji-regex": join(ROOT, "bin", "emoji_regex.cjs") },
        plugins: [adaptedGlue(MODULE)],
        banner: { js: REQUIRE },
        metafile: true,
      });
      writeFileSync(join(FOLDER, "LICENCES.txt"), licencesOf(metafile));
    },
  );
}
