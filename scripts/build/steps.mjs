// The whole build: Rust → WebAssembly → optimised → bundled with the JavaScript and its types.
// Every step is skipped if its inputs are unchanged.
import { announced } from "../progress.mjs";
import { installPackages, installToolchain } from "../setup.mjs";
import { bundle } from "./bundle.mjs";
import { bundleCommand } from "./command.mjs";
import { compile } from "./compile.mjs";
import { declare } from "./declare.mjs";
import { compileUnpacker } from "./module_text.mjs";
import { MODULES } from "./modules.mjs";
import { optimise } from "./optimise.mjs";

/** Builds pkg/ with installed tools. */
export async function build() {
  await buildModules(Promise.resolve());
  await finish();
}

/** Installs what is missing and builds pkg/. Compiles while npm installs, because that needs no npm packages. */
export async function setUpAndBuild() {
  const packages = installPackages();
  await Promise.all([packages, installToolchain().then(() => buildModules(packages))]);
  await finish();
}

/**
 * Compiles one module after the other, because they share a folder, and optimises each while the next one is compiled: both
 * use one processor.
 *
 * @param {Promise<void>} packages which optimising needs
 */
async function buildModules(packages) {
  const optimised = [];
  for (const [name, module] of Object.entries(MODULES)) {
    await announced(`Compiling Rust to WebAssembly, ${name}`, (report) => compile(module, report));
    const work = packages.then(() => announced(`Optimising the WebAssembly, ${name}`, () => optimise(module)));
    work.catch(() => {}); // rejects below
    optimised.push(work);
  }
  await Promise.all(optimised);
}

async function finish() {
  await announced("Compiling the unpacker", compileUnpacker);
  await announced("Bundling the package", () => Promise.all([bundle(), bundleCommand(), declare()]));
}
