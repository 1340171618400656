// The licences of the libraries in a bundle, to ship with it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../paths.mjs";

/** @param {import("esbuild").Metafile} metafile of the bundle */
export function licencesOf({ inputs }) {
  const packages = Object.keys(inputs).flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []);
  return [...new Set(packages)]
    .sort()
    .map(licenceOf)
    .join(`\n${"-".repeat(80)}\n\n`);
}

/** @param {string} folder of a package, relative to the root */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
  const file = readdirSync(join(ROOT, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : readFileSync(join(ROOT, folder, file), "utf8");
  return `${name} ${version}: ${license}\n\n${text.trim()}\n`;
}
