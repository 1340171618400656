// js/entries/*.js + the glue + the modules → what ships in pkg/, as ES modules and as CommonJS.
//
// slim.js and node.js hold the library, each with the glue of its own build of the module. index.js, workerd.js and
// edge-light.js initialise slim.js and export the same. The bytes of the modules are in module.js and module-fast.js.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PKG, ROOT } from "../paths.mjs";
import { adaptedGlue } from "./glue.mjs";
import { MODULES } from "./modules.mjs";
import { INPUTS as TEXT_INPUTS, textOf } from "./module_text.mjs";
import { whenChanged } from "./stamp.mjs";

const FORMATS = { esm: ".js", cjs: ".cjs" };

/** Entries by the name of the file that they become; `external`: the imports that the runtime resolves itself. */
const LIBRARIES = [
  { name: "slim", module: MODULES.small },
  { name: "node", module: MODULES.fast },
  { name: "otel", external: ["@opentelemetry/api"] },
  { name: "ai-sdk", external: ["respool"] },
];
const ON_SLIM = [
  { name: "index" },
  { name: "workerd", external: ["./respool.wasm"], formats: ["esm"] },
  { name: "edge-light", external: ["./respool.wasm?module"], formats: ["esm"] },
];
const DATA = [
  { name: "module", exports: async () => ({ packed: await textOf(fileOf(MODULES.small)) }) },
  { name: "module-fast", exports: async () => ({ base64: base64Of(MODULES.fast) }) },
];

const endingsOf = ({ formats = Object.keys(FORMATS) }) => formats.map((format) => FORMATS[format]);
const withMap = (output) => [output, `${output}.map`];

export async function bundle() {
  const code = [...LIBRARIES, ...ON_SLIM].flatMap((entry) => endingsOf(entry).map((ending) => `pkg/${entry.name}${ending}`));
  const data = DATA.flatMap((entry) => endingsOf(entry).map((ending) => `pkg/${entry.name}${ending}`));
  await whenChanged(
    "bundle",
    {
      inputs: ["js", ...Object.values(MODULES).flatMap(filesOf), ...TEXT_INPUTS, "package-lock.json", "scripts/build"],
      outputs: [...code.flatMap(withMap), ...data],
    },
    async () => {
      const made = await Promise.all(LIBRARIES.map((entry) => bundleEntry(entry)));
      const api = made[0].filter((name) => !["init", "initSync"].includes(name));
      await Promise.all([
        ...ON_SLIM.map((entry) => bundleEntry({ ...entry, plugins: [sharedWithSlim(api)] })),
        ...DATA.map(async ({ name, exports }) => writeData(name, await exports())),
      ]);
    },
  );
}

/** The files of a build of the module that a bundle depends on. */
export const filesOf = ({ folder }) => [fileOf({ folder }), `${folder}/wasm/respool.js`];

const fileOf = ({ folder }) => `${folder}/respool.wasm`;
const base64Of = (module) => readFileSync(join(ROOT, fileOf(module)), "base64");

/** Bundles an entry in its formats. Resolves with the names that it exports. */
async function bundleEntry({ name, formats = Object.keys(FORMATS), external, module, plugins = [] }) {
  const { build } = await import("esbuild");
  const results = formats.map((format) =>
    build({
      ...SETTINGS,
      absWorkingDir: ROOT,
      entryPoints: [join("js", "entries", `${name}.js`)],
      outfile: `pkg/${name}${FORMATS[format]}`,
      format,
      external,
      platform: "neutral",
      target: "es2022",
      metafile: true,
      plugins: [besideIt(format), ...(module === undefined ? [] : [adaptedGlue(module)]), ...plugins],
    }),
  );
  const [{ metafile }] = await Promise.all(results);
  return Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint !== undefined).exports;
}

/** What all JavaScript that ships is built with: it is to be read and debugged by those who use it. */
export const SETTINGS = {
  bundle: true,
  charset: "utf8",
  sourcemap: true,
  lineLimit: 200,
  // package.json's sideEffects is about the files that ship, not about the sources.
  ignoreAnnotations: true,
  logLevel: "silent",
};

/** Files of the package that are loaded from beside an entry, in its own format. */
const besideIt = (format) => ({
  name: "beside-it",
  setup({ onResolve }) {
    onResolve({ filter: /pkg\/module(-fast)?\.js$/ }, ({ path }) => ({
      path: `./${path.match(/[\w-]+(?=\.js$)/)[0]}${FORMATS[format]}`,
      external: true,
    }));
    onResolve({ filter: /^respool:slim$/ }, () => ({ path: `./slim${FORMATS[format]}`, external: true }));
  },
});

/** Takes what an entry has in common with slim.js from there. `api`: the names that it exports, too. */
const sharedWithSlim = (api) => ({
  name: "shared-with-slim",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/slim\.js$/ }, () => ({ path: "initialise", namespace: "slim" }));
    onResolve({ filter: /^\.\.\/api\.js$/ }, () => ({ path: "api", namespace: "slim" }));
    onLoad({ filter: /.*/, namespace: "slim" }, ({ path }) => {
      const names = path === "api" ? api : ["initSync"];
      return { contents: `export { ${names.join(", ")} } from "respool:slim";`, loader: "js", resolveDir: ROOT };
    });
  },
});

/** Writes a file of data, in each format. Nothing in it can throw, so that its one long line is never shown. */
function writeData(name, exports) {
  const statements = (prefix) => Object.entries(exports).map(([key, value]) => `${prefix}${key} = ${JSON.stringify(value)};\n`);
  writeFileSync(join(PKG, `${name}${FORMATS.esm}`), statements("export const ").join(""));
  writeFileSync(join(PKG, `${name}${FORMATS.cjs}`), statements("exports.").join(""));
}
