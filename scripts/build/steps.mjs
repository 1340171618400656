// The whole build: Rust → WebAssembly → optimised → bundled with the JavaScript and its types.
// Every step is skipped if nothing that it reads has changed.
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
  await compileModules();
  await finish();
}

/** Installs what is missing and builds pkg/. Compiles while npm installs, because that needs no npm packages. */
export async function setUpAndBuild() {
  await Promise.all([installPackages(), installToolchain().then(compileModules)]);
  await finish();
}

/** Cargo optimises each module on one processor, so two take little longer than one. */
async function compileModules() {
  await ofEach((name, module) => announced(`Compiling Rust to WebAssembly, ${name}`, (report) => compile(module, report)));
}

async function finish() {
  await ofEach((name, module) => announced(`Optimising the WebAssembly, ${name}`, () => optimise(module)));
  await announced("Compiling the unpacker", compileUnpacker);
  await announced("Bundling the package", () => Promise.all([bundle(), bundleCommand(), declare()]));
}

/** @param {(name: string, module: import("./modules.mjs").OptimisedModule) => Promise<unknown>} work */
const ofEach = (work) => Promise.all(Object.entries(MODULES).map(([name, module]) => work(name, module)));
