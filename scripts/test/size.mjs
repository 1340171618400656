// The package has to stay small, because every page that uses it loads the module. This measures what a page loads, bundled
// and minified like a page.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { PKG, ROOT } from "../paths.mjs";

/** A page that contains a whole entry with its module. */
const PAGE = 'import * as respool from "PKG/ENTRY.js";\nglobalThis.respool = respool;\n';

/**
 * The largest sizes in bytes, after gzip and after brotli. A page's size after brotli changes by a few hundred bytes if
 * code only moves, so its limits leave more room.
 *
 * @typedef {[number, number]} Budget
 */

/** @typedef {Record<string, { budget: Budget, code: () => Uint8Array | Promise<Uint8Array> }>} Budgets */

/** @param {string} name @param {Budget} budget @returns {Budgets} */
const ofFile = (name, budget) => ({ [name]: { budget, code: () => readFileSync(join(PKG, name)) } });

/** @type {Budgets} */
const OF_MODULES = {
  ...ofFile("respool.wasm", [321_300, 273_100]),
  ...ofFile("respool-core.wasm", [213_900, 183_300]),
  ...ofFile("respool-encode.wasm", [382_600, 322_900]),
};

/** @type {Budgets} */
const OF_PAGES = {
  "page by esbuild": { budget: [336_900, 302_300], code: () => bundleByEsbuild("index") },
  "page by Vite": { budget: [335_000, 300_700], code: () => bundleByVite("index") },
  "core page by esbuild": { budget: [219_400, 197_400], code: () => bundleByEsbuild("core") },
  "encoding page by esbuild": { budget: [404_100, 350_700], code: () => bundleByEsbuild("encode") },
};

/** @param {string} entry */
async function bundleByEsbuild(entry) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    stdin: { contents: pageOf(entry), resolveDir: ROOT },
    ...{ bundle: true, minify: true, format: "esm", logLevel: "silent" },
    write: false,
  });
  return outputFiles[0].contents;
}

/** @param {string} entry */
async function bundleByVite(entry) {
  const { build } = await import("vite");
  /** @type {import("vite").Plugin} */
  const page = {
    name: "page",
    resolveId: (id) => (id === "page" ? "\0page" : undefined),
    load: (id) => (id === "\0page" ? pageOf(entry) : undefined),
  };
  const result = await build({
    ...{ root: ROOT, configFile: false, plugins: [page] },
    logLevel: "error",
    build: { write: false, chunkSizeWarningLimit: Number.MAX_SAFE_INTEGER, rollupOptions: { input: "page" } },
  });
  if (!("output" in result)) throw new Error("Vite built several bundles of one page");
  return Buffer.from(result.output.map((chunk) => ("code" in chunk ? chunk.code : "")).join(""));
}

/** @param {string} entry */
const pageOf = (entry) => PAGE.replace("PKG", PKG.replaceAll("\\", "/")).replace("ENTRY", entry);

/** Returns the sizes after gzip and after brotli. @param {Uint8Array} code */
const compressed = (code) => [gzipSync(code, { level: 9 }).length, brotliCompressSync(code).length];

/** @param {number} bytes */
const format = (bytes) => bytes.toLocaleString("en");

/** Returns the files that are measured as modules. */
export const modules = () => Object.keys(OF_MODULES).map((name) => `pkg/${name}`);

/** Resolves with a note on the sizes of the modules. Fails if one exceeds its budget. */
export const checkModules = () => check(OF_MODULES);

/** Resolves with a note on the sizes of pages. Fails if one exceeds its budget. */
export const checkPages = () => check(OF_PAGES);

/** @param {Budgets} budgets */
async function check(budgets) {
  const notes = [];
  let isOver = false;
  for (const [name, { budget, code }] of Object.entries(budgets)) {
    const sizes = compressed(await code());
    isOver ||= sizes.some((size, index) => size > budget[index]);
    const [gzip, brotli] = sizes.map((size, index) => `${format(size)} of ${format(budget[index])} bytes`);
    notes.push(`${name}: ${gzip} after gzip, ${brotli} after brotli`);
  }
  if (isOver) throw new Error(`the package is too big: ${notes.join("; ")}`);
  return { note: notes.join("; ") };
}
