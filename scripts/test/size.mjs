// The package has to stay small: the module is part of every page that uses it. Measured is what a page loads, bundled and
// minified as pages are.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { PKG, ROOT } from "../paths.mjs";

/** A page that uses all of the package: the module is in it. Without it, `respool/slim` loads the file. */
const PAGE = 'import * as respool from "PKG/index.js";\nglobalThis.respool = respool;\n';

/** How many bytes each may have: after gzip, and after brotli. */
const BUDGETS = {
  "respool.wasm": { budget: [151_000, 129_700], code: () => readFileSync(join(PKG, "respool.wasm")) },
  "page by esbuild": { budget: [164_600, 148_200], code: bundleByEsbuild },
  "page by Vite": { budget: [164_600, 148_200], code: bundleByVite },
};

async function bundleByEsbuild() {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    stdin: { contents: pageIn(PKG), resolveDir: ROOT },
    ...{ bundle: true, minify: true, format: "esm", write: false, logLevel: "silent" },
  });
  return outputFiles[0].contents;
}

async function bundleByVite() {
  const { build } = await import("vite");
  const page = {
    name: "page",
    resolveId: (id) => (id === "page" ? "\0page" : undefined),
    load: (id) => (id === "\0page" ? pageIn(PKG) : undefined),
  };
  const { output } = await build({
    ...{ root: ROOT, configFile: false, logLevel: "error", plugins: [page] },
    build: { write: false, chunkSizeWarningLimit: Number.MAX_SAFE_INTEGER, rollupOptions: { input: "page" } },
  });
  return Buffer.from(output.map(({ code }) => code).join(""));
}

const pageIn = (folder) => PAGE.replace("PKG", folder.replaceAll("\\", "/"));

/** The sizes of a file after gzip and after brotli. */
const compressed = (code) => [gzipSync(code, { level: 9 }).length, brotliCompressSync(code).length];

const inWords = (bytes) => bytes.toLocaleString("en");

/** Resolves with a note on the sizes; fails when one is over its budget. */
export async function checkSize() {
  const notes = [];
  let isOver = false;
  for (const [what, { budget, code }] of Object.entries(BUDGETS)) {
    const sizes = compressed(await code());
    isOver ||= sizes.some((size, at) => size > budget[at]);
    const [gzip, brotli] = sizes.map((size, at) => `${inWords(size)} of ${inWords(budget[at])} bytes`);
    notes.push(`${what}: ${gzip} after gzip, ${brotli} after brotli`);
  }
  if (isOver) throw new Error(`the package is too big: ${notes.join("; ")}`);
  return { note: notes.join("; ") };
}
