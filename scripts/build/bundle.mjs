// js/entries/*.js + the glue + the module → what ships in pkg/, one self-contained file for each way to load it.
import { join } from "node:path";
import { PKG, ROOT } from "../paths.mjs";
import { withShortNames } from "./short_names.mjs";
import { whenChanged } from "./stamp.mjs";

// Each output, its entry, and the imports that the runtime resolves itself.
const ESM = [
  { output: "index.js", entry: "inline.js" },
  { output: "slim.js", entry: "slim.js" },
  { output: "workerd.js", entry: "workerd.js", external: ["./respool.wasm"] },
  { output: "edge-light.js", entry: "edge-light.js", external: ["./respool.wasm?module"] },
  { output: "otel.js", entry: "otel.js", external: ["@opentelemetry/api"] },
  { output: "ai-sdk.js", entry: "ai-sdk.js", external: ["respool"] },
];
const CJS = [
  { output: "index.cjs", entry: "inline.js" },
  { output: "slim.cjs", entry: "slim.js" },
  { output: "otel.cjs", entry: "otel.js", external: ["@opentelemetry/api"] },
  { output: "ai-sdk.cjs", entry: "ai-sdk.js", external: ["respool"] },
];

export async function bundle() {
  await whenChanged(
    "bundle",
    {
      inputs: [
        ...["js", "pkg/wasm/respool.js", "pkg/wasm/names.json", "pkg/respool.wasm", "package-lock.json"],
        ...["scripts/build/bundle.mjs", "scripts/build/short_names.mjs"],
      ],
      outputs: [...ESM, ...CJS].map(({ output }) => `pkg/${output}`),
    },
    async () => {
      const one = (format) => ({ output, entry, external }) => bundleEntry({ entry, format, external, outfile: join(PKG, output) });
      await Promise.all([...ESM.map(one("esm")), ...CJS.map(one("cjs"))]);
    },
  );
}

/** Makes one file of an entry. `folder` has the module, and `wasm/` in it the glue and its names. */
export async function bundleEntry({ entry, format, outfile, external = [], folder = PKG }) {
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: ROOT,
    entryPoints: [join("js", "entries", entry)],
    outfile,
    format,
    external,
    bundle: true,
    platform: "neutral",
    target: "es2022",
    charset: "utf8",
    // The names stay, so that an error still tells where it was.
    minifyWhitespace: true,
    minifySyntax: true,
    // package.json's sideEffects is about the files that ship, not about the sources.
    ignoreAnnotations: true,
    plugins: [shortNames(folder), moduleAsText(folder)],
    logLevel: "silent",
  });
}

/** The generated glue, with the names that the module has after it was optimised. */
const shortNames = (folder) => ({
  name: "short-names",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]pkg[/\\]wasm[/\\]respool\.js$/ }, async () => {
      const { readFile } = await import("node:fs/promises");
      const [glue, names] = await Promise.all(["respool.js", "names.json"].map((name) => readFile(join(folder, "wasm", name), "utf8")));
      return { contents: withShortNames(glue, JSON.parse(names)), loader: "js" };
    });
  },
});

/** The module is part of the entry as text: see js/entries/module_text.js. */
const moduleAsText = (folder) => ({
  name: "module-as-text",
  setup({ onLoad }) {
    onLoad({ filter: /\.wasm$/ }, async () => {
      const [{ readFile }, { textOf }] = await Promise.all([
        import("node:fs/promises"),
        import("../../js/entries/module_text.js"),
      ]);
      return { contents: `export default ${JSON.stringify(textOf(await readFile(join(folder, "respool.wasm"))))};`, loader: "js" };
    });
  },
});
