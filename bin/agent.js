// Reads the file of the option --agent.
import { readFileSync } from "node:fs";
import { UsageError } from "./arguments.js";
import { decodeText } from "./encoding.js";

/**
 * @param {string} file the JSON of an agent, or of its outputs alone
 * @returns {import("respool").Agent}
 */
export function readAgentFile(file) {
  let value;
  try {
    value = JSON.parse(decodeText(readFileSync(file)));
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new UsageError(`--agent ${file}: ${code === "ENOENT" ? "no such file" : message}`);
  }
  const isAgent = typeof value === "object" && value !== null && ("model" in value || "outputs" in value);
  return isAgent ? value : { outputs: value };
}
