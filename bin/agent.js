// The file that --agent names.
import { readFileSync } from "node:fs";
import { UsageError } from "./arguments.js";

/** An agent, or nothing but its outputs. */
export function readAgentFile(file) {
  let value;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`--agent ${file}: ${error.code === "ENOENT" ? "there is no such file" : error.message}`);
  }
  const isAgent = typeof value === "object" && value !== null && ("model" in value || "outputs" in value);
  return isAgent ? value : { outputs: value };
}
