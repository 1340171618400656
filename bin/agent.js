// Reads the file of the option --agent.
import { readFileSync } from "node:fs";
import { UsageError } from "./arguments.js";
import { decodeText } from "./encoding.js";
import { reasonOf } from "./input_error.js";

/**
 * @param {string} file a JSON file with an agent, or only its outputs
 * @returns {import("respool").Agent}
 */
export function readAgentFile(file) {
  let value;
  try {
    value = JSON.parse(decodeText(readFileSync(file)));
  } catch (error) {
    throw new UsageError(`--agent ${file}: ${reasonOf(/** @type {Error} */ (error))}`);
  }
  if (typeof value !== "object" || value === null)
    throw new UsageError(`--agent ${file}: expected the JSON of an agent or of its outputs, got ${JSON.stringify(value)}`);
  return "model" in value || "outputs" in value ? value : { outputs: value };
}
