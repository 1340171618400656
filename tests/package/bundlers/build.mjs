// The application, built with each bundler according to its documentation.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../../scripts/paths.mjs";

/** The bundlers. `build` builds the page of the project in `folder` into `out`, a folder inside it. */
const BUNDLERS = [
  {
    name: "Vite",
    package: "vite",
    async build(folder, out) {
      const { build } = await import("vite");
      await build({
        ...{ root: join(folder, "bundlers"), base: "./", configFile: false, logLevel: "error" },
        build: { outDir: out, emptyOutDir: true },
      });
    },
  },
  {
    name: "webpack",
    package: "webpack",
    async build(folder, out) {
      const { default: webpack } = await import("webpack");
      const compiler = webpack({
        ...{ mode: "production", context: folder, entry: "./bundlers/webpack.mjs", devtool: false },
        // No warnings about size: the bundle contains the module as text.
        performance: false,
        output: { path: out, filename: "main.js" },
      });
      const stats = await new Promise((resolve, reject) =>
        compiler.run((error, made) => (error ? reject(error) : resolve(made))),
      );
      await new Promise((resolve) => compiler.close(resolve));
      if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString("errors-warnings"));
      writePage(out, '<script defer src="main.js"></script>');
    },
  },
  {
    name: "esbuild",
    package: "esbuild",
    async build(folder, out) {
      const { build } = await import("esbuild");
      const { warnings } = await build({
        ...{ absWorkingDir: folder, entryPoints: { main: "bundlers/asset.mjs" }, outdir: out },
        ...{ bundle: true, format: "esm", minify: true, logLevel: "silent" },
        loader: { ".wasm": "file" },
      });
      if (warnings.length > 0) throw new Error(JSON.stringify(warnings));
      writePage(out, '<script type="module" src="main.js"></script>');
    },
  },
  {
    name: "Rollup",
    package: "rollup",
    async build(folder, out) {
      const { rollup } = await import("rollup");
      const { nodeResolve } = await import("@rollup/plugin-node-resolve");
      const bundle = await rollup({
        input: join(folder, "bundlers", "asset.mjs"),
        plugins: [nodeResolve({ browser: true }), moduleAsFile],
        onwarn(warning) {
          throw new Error(warning.message);
        },
      });
      await bundle.write({ dir: out, format: "es", entryFileNames: "main.js" });
      await bundle.close();
      writePage(out, '<script type="module" src="main.js"></script>');
    },
  },
];

/** Rollup can't emit an imported file without a plugin like this. */
const moduleAsFile = {
  name: "module-as-file",
  load(id) {
    if (!id.endsWith(".wasm")) return undefined;
    const file = this.emitFile({ type: "asset", name: "respool.wasm", source: readFileSync(id) });
    return `export default import.meta.ROLLUP_FILE_URL_${file};`;
  },
};

function writePage(out, script) {
  mkdirSync(out, { recursive: true });
  const head = '<meta charset="utf-8"><title>respool, bundled</title><link rel="icon" href="data:,">';
  writeFileSync(join(out, "index.html"), `<!doctype html><html lang="en"><head>${head}${script}</head></html>\n`);
}

/** The bundlers. The page that `build` creates is at `path`, relative to the folder. */
export const BUNDLED = BUNDLERS.map(({ name, package: from, build }) => ({
  name,
  version: JSON.parse(readFileSync(join(ROOT, "node_modules", from, "package.json"), "utf8")).version,
  path: `built/${from}/index.html`,
  build: (folder) => build(folder, join(folder, "built", from)),
}));
