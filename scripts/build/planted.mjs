// The package with faults planted in it, for tests/faults: input can ask for a panic or a trap. Beside the build that
// ships, in a folder of its own.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../paths.mjs";
import { bundleEntry } from "./bundle.mjs";
import { compileTo } from "./compile.mjs";
import { shortenNames } from "./optimise.mjs";
import { whenChanged } from "./stamp.mjs";

const FOLDER = join(ROOT, "target", "planted-faults");

export async function buildPlanted() {
  await whenChanged(
    "planted",
    {
      inputs: ["src", "js", "Cargo.toml", "Cargo.lock", "rust-toolchain.toml", ".cargo", "scripts/build"],
      outputs: ["target/planted-faults/index.js"],
    },
    async () => {
      const glue = join(FOLDER, "wasm");
      mkdirSync(glue, { recursive: true });
      await compileTo(glue, "respool", ["--profile", "planted", "--features", "planted-faults"]);
      writeFileSync(join(glue, "names.json"), await shortenNames(join(glue, "respool_bg.wasm"), join(FOLDER, "respool.wasm")));
      await bundleEntry({ entry: "inline.js", format: "esm", outfile: join(FOLDER, "index.js"), folder: FOLDER });
    },
  );
}
