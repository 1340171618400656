/** @import { Agent, ProcessOptions, ProcessResult } from "./types/api.js" */

import { process as processBody } from "../pkg/wasm/respool.js";
import { readAgent, readProcessOptions } from "./options.js";

/**
 * @param {Agent} agent
 * @param {unknown} response
 * @param {ProcessOptions} [options]
 * @returns {ProcessResult}
 */
export function process(agent, response, options) {
  return processBody(response, ...readProcessOptions(options, []), ...readAgent(agent));
}
