// The whole build in its order: Rust → WebAssembly → optimised → bundled with the JavaScript and its types.
// Every step is left out when nothing that it reads has changed.
import { announced } from "../progress.mjs";
import { bundle } from "./bundle.mjs";
import { bundleCommand } from "./command.mjs";
import { compile, compileBatch } from "./compile.mjs";
import { declare } from "./declare.mjs";
import { optimise } from "./optimise.mjs";

export async function build() {
  await announced("Compiling Rust to WebAssembly", compile);
  await announced("Compiling the module of the command line", compileBatch);
  await announced("Optimising the WebAssembly", optimise);
  await announced("Bundling the package", () => Promise.all([bundle(), bundleCommand(), declare()]));
}
