// The package with faults planted in it, for tests/faults. Beside the build that ships, in a folder of its own.
import { bundleFor } from "./bundle.mjs";
import { compile } from "./compile.mjs";
import { PLANTED } from "./modules.mjs";
import { optimise } from "./optimise.mjs";
import { whenChanged } from "./stamp.mjs";

export async function buildPlanted() {
  const output = `${PLANTED.folder}/node.js`;
  await whenChanged(
    "planted",
    {
      inputs: ["src", "js", "Cargo.toml", "Cargo.lock", "rust-toolchain.toml", ".cargo", "scripts/build"],
      outputs: [output],
    },
    async () => {
      await compile(PLANTED);
      await optimise(PLANTED);
      await bundleFor(PLANTED, PLANTED.folder);
    },
  );
}
