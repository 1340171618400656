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

/** Builds pkg/. Everything that it needs is installed. */
export async function build() {
  await compileModules();
  await finish();
}

/** Installs what is missing, and builds pkg/. Compiling needs no npm packages, so that both go on at the same time. */
export async function setUpAndBuild() {
  await Promise.all([installPackages(), installToolchain().then(compileModules)]);
  await finish();
}

/** Cargo links each module on one processor, so that two take little longer than one. */
async function compileModules() {
  await ofEach((name, module) => announced(`Compiling Rust to WebAssembly, ${name}`, (report) => compile(module, report)));
}

async function finish() {
  await ofEach((name, module) => announced(`Optimising the WebAssembly, ${name}`, () => optimise(module)));
  await announced("Compiling the unpacker", compileUnpacker);
  await announced("Bundling the package", () => Promise.all([bundle(), bundleCommand(), declare()]));
}

const ofEach = (work) => Promise.all(Object.entries(MODULES).map(([name, module]) => work(name, module)));
