// The machine and the package versions of a measurement.
import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { ROOT } from "../scripts/paths.mjs";

const PACKAGES = [
  "openai",
  "@anthropic-ai/sdk",
  "ai",
  "@ai-sdk/openai",
  "@langchain/openai",
  "llm-stream-assemble",
  "eventsource-parser",
  "@braintrust/lingua-wasm",
  "partial-json",
];

/** Processor, runtime and the versions of all packages. */
export function describeMachine() {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    packages: Object.fromEntries(["respool", ...PACKAGES].map((name) => [name, versionOf(name)])),
  };
}

/**
 * The version of respool, or of an installed package.
 *
 * @param {string} name
 * @returns {string}
 */
export function versionOf(name) {
  const folder = name === "respool" ? ROOT : join(ROOT, "node_modules", ...name.split("/"));
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
}
