// The module has to stay small: it is part of every page that uses the package.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { PKG } from "../paths.mjs";

const BUDGET = 100_000;

/** Resolves with a note on the size; fails when it is over the budget. */
export async function checkSize() {
  const module = readFileSync(join(PKG, "respool.wasm"));
  const size = gzipSync(module, { level: 9 }).length;
  const note = `${size.toLocaleString("en")} bytes gzipped, of ${BUDGET.toLocaleString("en")} (${module.length.toLocaleString("en")} raw)`;
  if (size > BUDGET) throw new Error(`respool.wasm is too big: ${note}`);
  return { note };
}
