// js/entries/*.js + the glue + the modules → the published files in pkg/, as ES modules and as CommonJS.
//
// slim.js and node.js hold the library, each with the glue of its own build of the module. index.js, workerd.js and
// edge-light.js initialise slim.js and export the same. core-library.js and encoder.js do the same for core*.js and encode*.js.
// The bytes of the modules are in module*.js, and in files that workers import and Node reads.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { PKG, ROOT } from "../paths.mjs";
import { adaptedGlue } from "./glue.mjs";
import { MODULES } from "./modules.mjs";
import { INPUTS as TEXT_INPUTS, textOf } from "./module_text.mjs";
import { whenChanged } from "./stamp.mjs";

/** @import { Plugin } from "esbuild" */
/** @import { Module } from "./modules.mjs" */

/** @typedef {"esm" | "cjs"} Format */

/** @type {Record<Format, string>} */
const FORMATS = { esm: ".js", cjs: ".cjs" };
/** @type {Format[]} */
const ALL_FORMATS = ["esm", "cjs"];

/**
 * @typedef {object} Entry
 * @property {string} name of the source and of the output
 * @property {Module} [module] whose glue it contains
 * @property {string[]} [external] imports that the runtime resolves
 * @property {Format[]} [formats] all if missing
 * @property {Plugin[]} [plugins]
 */

/** A library that other entries initialise. @typedef {Entry & { initialise: string[], entries: Entry[] }} Library */

/** The encoder entries share the errors and codecs of the main entry. */
const ENCODING = { external: ["#library"], plugins: [errorsOfMainEntry()] };

/**
 * Where the bytes of the fast module come from depends on the runtime: see `imports` in package.json. Node reads a file,
 * which is several milliseconds faster. Of all runtimes and bundlers, only Node has both of the conditions `node-addons`
 * and `module-sync`. Bundles have no files beside them, and Deno would ask before it reads one.
 */
const FAST_BYTES = "#module-fast";

/** @type {Library[]} */
const INITIALISED = [
  {
    name: "slim",
    module: MODULES.small,
    initialise: ["init", "initSync"],
    entries: [
      { name: "index" },
      { name: "workerd", external: ["./respool.wasm"], formats: ["esm"] },
      { name: "edge-light", external: ["./respool.wasm?module"], formats: ["esm"] },
    ],
  },
  {
    name: "core-library",
    module: MODULES.core,
    plugins: [interfaceOfCore()],
    initialise: ["start"],
    entries: [
      { name: "core" },
      { name: "core-workerd", external: ["./respool-core.wasm"], formats: ["esm"] },
      { name: "core-edge-light", external: ["./respool-core.wasm?module"], formats: ["esm"] },
    ],
  },
  {
    name: "encoder",
    module: MODULES.encode,
    ...ENCODING,
    initialise: ["start"],
    entries: [
      { name: "encode" },
      { name: "encode-workerd", external: ["./respool-encode.wasm"], formats: ["esm"] },
      { name: "encode-edge-light", external: ["./respool-encode.wasm?module"], formats: ["esm"] },
    ],
  },
];
/** @type {Entry[]} */
const OTHERS = [
  { name: "node", module: MODULES.fast },
  { name: "module-fast", formats: ["esm"] },
  { name: "encode-node", module: MODULES.fast, ...ENCODING },
  { name: "otel", external: ["@opentelemetry/api"] },
  { name: "ai-sdk", external: ["respool"] },
  { name: "ag-ui", external: ["respool"] },
];
/** The modules that workers, Node and users load as files. */
const MODULE_FILES = {
  "pkg/respool-core.wasm": MODULES.core,
  "pkg/respool-encode.wasm": MODULES.encode,
  "pkg/respool-fast.wasm": MODULES.fast,
};
/** Code that reads the fast module from its file. @type {Record<Format, string>} */
const FILE_READERS = {
  esm: `import { readFileSync } from "node:fs";
export const bytes = readFileSync(new URL("./respool-fast.wasm", import.meta.url));
`,
  cjs: `const { readFileSync } = require("node:fs");
const { join } = require("node:path");
try {
  exports.bytes = readFileSync(join(__dirname, "respool-fast.wasm"));
} catch (cause) {
  throw new Error('respool-fast.wasm is not beside the code of respool: bundle it with the condition "module"', { cause });
}
`,
};
/** @type {{ name: string, exports: () => Promise<Record<string, unknown>>, formats?: Format[] }[]} */
const DATA = [
  { name: "module-core", exports: async () => ({ packed: await textOf(fileOf(MODULES.core)) }) },
  { name: "module", exports: async () => ({ packed: await textOf(fileOf(MODULES.small)) }) },
  { name: "module-encode", exports: async () => ({ packed: await textOf(fileOf(MODULES.encode)) }) },
  { name: "module-fast-text", exports: async () => ({ base64: base64Of(MODULES.fast) }), formats: ["esm"] },
];

/** @param {{ formats?: Format[] }} entry */
const endingsOf = ({ formats = ALL_FORMATS }) => formats.map((format) => FORMATS[format]);
/** @param {string} output */
const withMap = (output) => [output, `${output}.map`];

export async function bundle() {
  const entries = [...INITIALISED.flatMap((library) => [library, ...library.entries]), ...OTHERS];
  const code = entries.flatMap((entry) => endingsOf(entry).map((ending) => `pkg/${entry.name}${ending}`));
  const data = DATA.flatMap((file) => endingsOf(file).map((ending) => `pkg/${file.name}${ending}`));
  const readers = ALL_FORMATS.map((format) => `pkg/module-fast-file${FORMATS[format]}`);
  await whenChanged(
    "bundle",
    {
      inputs: ["js", ...Object.values(MODULES).flatMap(filesOf), ...TEXT_INPUTS, "package-lock.json", "scripts/build"],
      outputs: [...code.flatMap(withMap), ...data, ...readers, ...Object.keys(MODULE_FILES)],
    },
    async () => {
      for (const [file, module] of Object.entries(MODULE_FILES)) copyFileSync(join(ROOT, fileOf(module)), join(ROOT, file));
      for (const [at, format] of ALL_FORMATS.entries()) writeFileSync(join(ROOT, readers[at]), FILE_READERS[format]);
      await Promise.all([
        ...INITIALISED.map(bundleInitialised),
        ...OTHERS.map(bundleEntry),
        ...DATA.map(async ({ exports, ...file }) => writeData(file, await exports())),
      ]);
    },
  );
}

/** @param {Library} library */
async function bundleInitialised(library) {
  const { name, initialise, entries } = library;
  const exported = await bundleEntry(library);
  const api = exported.filter((one) => !initialise.includes(one));
  const shared = sharedWith(name, api, initialise);
  await Promise.all(entries.map((entry) => bundleEntry({ ...entry, plugins: [shared] })));
}

/** The files of a module that a bundle depends on. */
export const filesOf = (/** @type {{ folder: string }} */ { folder }) => [fileOf({ folder }), `${folder}/wasm/respool.js`];

/** @param {{ folder: string }} module */
const fileOf = ({ folder }) => `${folder}/respool.wasm`;
/** @param {Module} module */
const base64Of = (module) => readFileSync(join(ROOT, fileOf(module)), "base64");

/** Bundles an entry in its formats. Resolves with the names of its exports. @param {Entry} entry */
async function bundleEntry({ name, formats = ALL_FORMATS, external = [], module, plugins = [] }) {
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
      plugins: [adjacentModule(format), ...(module === undefined ? [] : [adaptedGlue(module)]), ...plugins],
    }),
  );
  const [{ metafile }] = await Promise.all(results);
  return Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint !== undefined)?.exports ?? [];
}

/** The settings for all JavaScript that ships, which users read and debug. @satisfies {import("esbuild").BuildOptions} */
export const SETTINGS = {
  bundle: true,
  charset: "utf8",
  sourcemap: true,
  lineLimit: 200,
  // package.json's sideEffects describes the files that ship, not the sources.
  ignoreAnnotations: true,
  logLevel: "silent",
};

/** Makes an entry load the package's other files in its own format. @param {Format} format @returns {Plugin} */
const adjacentModule = (format) => ({
  name: "beside-it",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/module-fast\.js$/ }, () => ({ path: FAST_BYTES, external: true }));
    onResolve({ filter: /pkg\/module(-core|-encode|-fast-text)?\.js$/ }, ({ path }) => ({
      path: `./${basename(path, ".js")}${FORMATS[format]}`,
      external: true,
    }));
    onResolve({ filter: /^respool:/ }, ({ path }) => ({
      path: `./${path.slice("respool:".length)}${FORMATS[format]}`,
      external: true,
    }));
  },
});

/**
 * Makes an entry import the library that it initialises, instead of bundling it again.
 *
 * @param {string} library
 * @param {string[]} api the names that the library and its entries export
 * @param {string[]} initialise the names of the functions that initialise it
 * @returns {Plugin}
 */
const sharedWith = (library, api, initialise) => ({
  name: `shared-with-${library}`,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^\\./${library}\\.js$`) }, () => ({ path: "initialise", namespace: library }));
    onResolve({ filter: /[/]api\.js$/ }, () => ({ path: "api", namespace: library }));
    onLoad({ filter: /.*/, namespace: library }, ({ path }) => {
      const names = path === "api" ? api : initialise;
      return { contents: `export { ${names.join(", ")} } from "respool:${library}";`, loader: "js", resolveDir: ROOT };
    });
  },
});

/** Makes the library of respool/core import its own interface. @returns {Plugin} */
function interfaceOfCore() {
  return {
    name: "interface-of-core",
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.[/]api\.js$/ }, () => ({ path: join(ROOT, "js", "core", "api.js") }));
    },
  };
}

/** Makes a library throw errors of the main entry's classes. @returns {Plugin} */
function errorsOfMainEntry() {
  return {
    name: "errors-of-main-entry",
    setup({ onResolve }) {
      const path = join(ROOT, "js", "encode", "main_errors.js");
      // js/entries/engine.js imports the classes from js/api.js, which isn't part of this library.
      onResolve({ filter: /^\.[/]error_classes\.js$|^\.\.[/]api\.js$/ }, () => ({ path }));
    },
  };
}

/**
 * Writes a data file in each of its formats. Nothing in it can throw, so no error message shows its one long line.
 *
 * @param {{ name: string, formats?: Format[] }} file
 * @param {Record<string, unknown>} exports
 */
function writeData({ name, formats = ALL_FORMATS }, exports) {
  /** @type {Record<Format, string>} */
  const prefixes = { esm: "export const ", cjs: "exports." };
  for (const format of formats) {
    const statements = Object.entries(exports).map(([key, value]) => `${prefixes[format]}${key} = ${JSON.stringify(value)};\n`);
    writeFileSync(join(PKG, `${name}${FORMATS[format]}`), statements.join(""));
  }
}
