// Vercel's edge runtime: another realm, which gets a module that was compiled outside it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EdgeVM } from "@edge-runtime/vm";
import { build } from "esbuild";

const folder = process.argv[2];
const { outputFiles } = await build({
  stdin: {
    contents: `
      import module from "respool/respool.wasm?module";
      import * as slim from "respool/slim";
      import check from "./behaviour.mjs";
      import checkSlim, { checkShared } from "./slim.mjs";
      import checkSubpaths from "./subpaths.mjs";
      async function checkAll() {
        await checkSlim(slim, async () => module);
        const [respool, otel] = [await import("respool"), await import("respool/otel")];
        const [aiSdk, agUi] = [await import("respool/ai-sdk"), await import("respool/ag-ui")];
        const [core, encode] = [await import("respool/core"), await import("respool/encode")];
        checkShared(slim, respool);
        await checkSubpaths(respool, { otel, aiSdk, agUi, core, encode });
        return check(respool);
      }
      globalThis.checked = checkAll().then((count) => \`ok: \${count} checks\`, (error) => error.stack);`,
    resolveDir: folder,
  },
  bundle: true,
  format: "iife",
  write: false,
  conditions: ["edge-light"],
  plugins: [moduleFromOutside()],
});
const vm = new EdgeVM();
vm.context.respoolModules = Object.fromEntries(
  ["respool.wasm", "respool-core.wasm", "respool-encode.wasm"].map((name) => [
    name,
    new WebAssembly.Module(readFileSync(join(folder, "node_modules/respool/pkg", name))),
  ]),
);
vm.evaluate(outputFiles[0].text);
const outcome = await vm.context.checked;
if (!outcome.startsWith("ok")) throw new Error(outcome);
console.log(outcome);

/** Resolves `?module` as the platform's bundler does. */
function moduleFromOutside() {
  return {
    name: "module-from-outside",
    setup(build) {
      build.onResolve({ filter: /\.wasm\?module$/ }, ({ path }) => ({ path, namespace: "outside" }));
      build.onLoad({ filter: /.*/, namespace: "outside" }, ({ path }) => {
        const name = path.replace(/^.*[/]|[?]module$/g, "");
        return { contents: `export default globalThis.respoolModules[${JSON.stringify(name)}];` };
      });
    },
  };
}
