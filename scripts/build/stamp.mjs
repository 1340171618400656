// Knows whether a step of the build has to run again: by the content of what it reads, never by dates.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PKG, ROOT } from "../paths.mjs";

const STAMPS = join(PKG, "wasm", "stamps");

/**
 * Runs `work` unless the files under `inputs` are as they were when it last succeeded and all of `outputs` are there.
 * Inputs and outputs are paths from the root of the repository; a folder stands for all files in it.
 */
export async function whenChanged(step, { inputs, outputs }, work) {
  const stampFile = join(STAMPS, step.replace(/\W+/g, "-"));
  const stamp = hashOf(inputs);
  const done =
    existsSync(stampFile) &&
    readFileSync(stampFile, "utf8") === stamp &&
    outputs.every((output) => existsSync(join(ROOT, output)));
  if (done) return;
  await work();
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(stampFile, stamp);
}

function hashOf(inputs) {
  const hash = createHash("sha256");
  for (const input of inputs) {
    for (const file of filesOf(input))
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(ROOT, file)))
        .update("\0");
  }
  return hash.digest("hex");
}

function filesOf(path) {
  const stat = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(join(ROOT, path))
    .sort()
    .flatMap((name) => filesOf(`${path}/${name}`));
}
