// js/entries/*.js + the glue + the module → what ships in pkg/, one self-contained file for each way to load it.
import { join } from "node:path";
import { ROOT } from "../paths.mjs";
import { MODULES } from "./modules.mjs";
import { INPUTS as TEXT_INPUTS, textOf } from "./module_text.mjs";
import { withShortNames } from "./short_names.mjs";
import { whenChanged } from "./stamp.mjs";

// Each output, its entry, and the imports that the runtime resolves itself.
const BOTH = [
  { output: "index", entry: "inline.js" },
  { output: "node", entry: "node.js", module: MODULES.fast },
  { output: "slim", entry: "slim.js" },
  { output: "otel", entry: "otel.js", external: ["@opentelemetry/api"] },
  { output: "ai-sdk", entry: "ai-sdk.js", external: ["respool"] },
];
const ESM = [
  { output: "workerd", entry: "workerd.js", external: ["./respool.wasm"] },
  { output: "edge-light", entry: "edge-light.js", external: ["./respool.wasm?module"] },
];
const FORMATS = { esm: ".js", cjs: ".cjs" };

const ENTRIES = [
  ...[...ESM, ...BOTH].map((entry) => ({ ...entry, format: "esm" })),
  ...BOTH.map((entry) => ({ ...entry, format: "cjs" })),
].map(({ output, ...entry }) => ({ ...entry, output: `pkg/${output}${FORMATS[entry.format]}` }));

export async function bundle() {
  const ofModules = Object.values(MODULES).flatMap(({ folder }) => filesOf(folder));
  await whenChanged(
    "bundle",
    {
      inputs: ["js", ...ofModules, ...TEXT_INPUTS, "package-lock.json", "scripts/build"],
      outputs: ENTRIES.map(({ output }) => output),
    },
    () => Promise.all(ENTRIES.map(bundleEntry)),
  );
}

/** What a bundle has of a module that is in this folder. */
export const filesOf = (folder) => ["respool.wasm", "wasm/respool.js", "wasm/names.json"].map((file) => `${folder}/${file}`);

/** Makes one file of an entry. `module`: see modules.mjs. */
export async function bundleEntry({ entry, format, output, external = [], module = MODULES.small }) {
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: ROOT,
    entryPoints: [join("js", "entries", entry)],
    outfile: output,
    format,
    external,
    bundle: true,
    platform: "neutral",
    target: "es2022",
    charset: "utf8",
    minify: true,
    // package.json's sideEffects is about the files that ship, not about the sources.
    ignoreAnnotations: true,
    plugins: [shortNames(module), moduleAsText(module)],
    logLevel: "silent",
  });
}

/** The generated glue, with the names that the module has after it was optimised. */
export const shortNames = ({ folder }) => ({
  name: "short-names",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]pkg[/\\]wasm[/\\]respool\.js$/ }, async () => {
      const { readFile } = await import("node:fs/promises");
      const [, glue, names] = await Promise.all(filesOf(folder).map((file) => readFile(join(ROOT, file), "utf8")));
      return { contents: withShortNames(glue, JSON.parse(names)), loader: "js" };
    });
  },
});

/** The module is part of the entry as text, in the form that the entry asks for: see js/entries/module_text.js. */
const moduleAsText = ({ folder }) => ({
  name: "module-as-text",
  setup({ onLoad }) {
    onLoad({ filter: /\.wasm$/ }, async ({ suffix }) => {
      const { readFile } = await import("node:fs/promises");
      const [module] = filesOf(folder);
      const text = suffix === "?base64" ? await readFile(join(ROOT, module), "base64") : await textOf(module);
      return { contents: `export default ${JSON.stringify(text)};`, loader: "js" };
    });
  },
});
