import { process as ofBody } from "../pkg/wasm/respool.js";
import { readAgent, readProcessOptions } from "./options.js";

export function process(agent, response, options) {
  return ofBody(response, ...readProcessOptions(options), ...readAgent(agent));
}
