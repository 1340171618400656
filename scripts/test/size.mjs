// The module has to stay small: it is part of every page that uses the package.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { PKG } from "../paths.mjs";

/** How many bytes each file may have after gzip: the module, and the default entry, which has it inside. */
const BUDGETS = { "respool.wasm": 145_800, "index.js": 156_500 };

const inWords = (bytes) => bytes.toLocaleString("en");

/** Resolves with a note on the sizes; fails when one is over its budget. */
export async function checkSize() {
  const sizes = Object.entries(BUDGETS).map(([file, budget]) => {
    const raw = readFileSync(join(PKG, file));
    return { file, budget, raw: raw.length, size: gzipSync(raw, { level: 9 }).length };
  });
  const notes = sizes.map(({ file, budget, raw, size }) => {
    const over = size > budget ? `: ${inWords(size - budget)} too many` : "";
    return `${file} ${inWords(size)} bytes gzipped, of ${inWords(budget)} (${inWords(raw)} raw)${over}`;
  });
  if (sizes.some(({ size, budget }) => size > budget)) throw new Error(`the package is too big: ${notes.join("; ")}`);
  return { note: notes.join("; ") };
}
