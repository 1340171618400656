// bin/*.js → pkg/cli/: the command line with the libraries that it uses, on the package itself.
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GLUE, PKG, ROOT } from "../paths.mjs";
import { licencesOf } from "./licences.mjs";
import { whenChanged } from "./stamp.mjs";

/** What is run; and what is tested and measured by itself. */
const ENTRIES = ["respool.js", "worker.js", "reader.js"];
const FOLDER = join(PKG, "cli");

/** Libraries of the other module system ask for parts of Node in their own way. */
const REQUIRE = 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);';

export async function bundleCommand() {
  await whenChanged(
    "command",
    {
      inputs: ["bin", "js", "pkg/wasm/batch.js", "pkg/wasm/batch_bg.wasm", "package.json", "package-lock.json", "scripts/build/command.mjs", "scripts/build/licences.mjs"],
      outputs: [...ENTRIES, "batch.wasm", "LICENCES.txt"].map((output) => `pkg/cli/${output}`),
    },
    async () => {
      const { build } = await import("esbuild");
      rmSync(FOLDER, { recursive: true, force: true }); // the names of shared parts change with what is in them
      const { metafile } = await build({
        absWorkingDir: ROOT,
        entryPoints: ENTRIES.map((entry) => join("bin", entry)),
        outdir: FOLDER,
        bundle: true,
        splitting: true,
        format: "esm",
        platform: "node",
        target: "node20",
        charset: "utf8",
        external: ["respool"],
        banner: { js: REQUIRE },
        metafile: true,
        logLevel: "silent",
      });
      copyFileSync(join(GLUE, "batch_bg.wasm"), join(FOLDER, "batch.wasm"));
      writeFileSync(join(FOLDER, "LICENCES.txt"), licencesOf(metafile));
    },
  );
}
