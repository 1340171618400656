// The whole build in its order: Rust → WebAssembly → optimised → bundled with the JavaScript and its types.
// Every step is left out when nothing that it reads has changed.
import { announced } from "../progress.mjs";
import { bundle } from "./bundle.mjs";
import { bundleCommand } from "./command.mjs";
import { compile } from "./compile.mjs";
import { declare } from "./declare.mjs";
import { MODULES } from "./modules.mjs";
import { compileUnpacker } from "./module_text.mjs";
import { optimise } from "./optimise.mjs";

export async function build() {
  for (const [name, module] of Object.entries(MODULES)) {
    await announced(`Compiling Rust to WebAssembly, ${name}`, () => compile(module));
    await announced(`Optimising the WebAssembly, ${name}`, () => optimise(module));
  }
  await announced("Compiling what unpacks it", compileUnpacker);
  await announced("Bundling the package", () => Promise.all([bundle(), bundleCommand(), declare()]));
}
