import { process as ofBody } from "../pkg/wasm/respool.js";
import { readAgent, readProcessOptions } from "./options.js";

export function process(agent, response, options) {
  return ofBody(response, ...readProcessOptions(options), ...readAgent(agent));
}

export async function processAsync(agent, response, options) {
  return process(agent, await load(response), options);
}

/** The body, which may be on its way, and in a fetch `Response`. */
export async function load(response) {
  const body = await response;
  return isFetched(body) ? body.arrayBuffer() : body;
}

function isFetched(body) {
  try {
    return typeof body === "object" && body !== null && "status" in body && typeof body.arrayBuffer === "function";
  } catch {
    return false; // a proxy, or a getter that throws: what is wrong with it is said where it is read
  }
}
