import { process as ofBody, processAsync as ofPromise } from "../pkg/wasm/respool.js";
import { readAgent, readProcessOptions } from "./options.js";

const settings = (agent, options) => [...readProcessOptions(options), ...readAgent(agent)];

export function process(agent, response, options) {
  return ofBody(response, ...settings(agent, options));
}

export function processAsync(agent, response, options) {
  const body = load(response);
  try {
    return ofPromise(body, ...settings(agent, options));
  } catch (error) {
    return body.then(() => {
      throw error;
    });
  }
}

/** The body, which may be on its way, and in a fetch `Response`. */
export async function load(response) {
  const body = await response;
  const isFetched = typeof body === "object" && body !== null && "status" in body && typeof body.arrayBuffer === "function";
  return isFetched ? body.arrayBuffer() : body;
}
