/** @import { Agent, ProcessOptions, ProcessResult } from "./types/api.js" */

import { process as processBody } from "../pkg/wasm/respool.js";
import { refusePendingBody } from "./pending.js";
import { readAgent, readProcessOptions, toJson } from "./options.js";

/**
 * @param {Agent} agent
 * @param {unknown} response
 * @param {ProcessOptions} [options]
 * @returns {ProcessResult}
 */
export function process(agent, response, options) {
  refusePendingBody(response);
  return processBody(response, ...readProcessOptions(options, []), toJson(readAgent(agent)));
}
