// Decides whether a step has to run again, by the content of its inputs rather than their dates.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PKG, ROOT } from "../paths.mjs";

const STAMPS = join(PKG, "wasm", "stamps");

/**
 * Runs `work` unless the inputs are unchanged since it last succeeded and all outputs exist. Inputs and outputs are paths
 * relative to the root; a folder includes all its files.
 *
 * @template T
 * @param {string} step
 * @param {{ inputs: string[], outputs: string[] }} files
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T | undefined>} what the work resolved with, if it ran
 */
export async function whenChanged(step, { inputs, outputs }, work) {
  const stampFile = join(STAMPS, step.replace(/\W+/g, "-"));
  const stamp = hashOf(inputs);
  const isUpToDate =
    existsSync(stampFile) &&
    readFileSync(stampFile, "utf8") === stamp &&
    outputs.every((output) => existsSync(join(ROOT, output)));
  if (isUpToDate) return undefined;
  const outcome = await work();
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(stampFile, stamp);
  return outcome;
}

/** @param {string[]} inputs */
function hashOf(inputs) {
  const hash = createHash("sha256");
  for (const file of inputs.flatMap(filesOf)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

/** @param {string} path @returns {string[]} */
function filesOf(path) {
  const stat = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(join(ROOT, path))
    .sort()
    .flatMap((name) => filesOf(`${path}/${name}`));
}
