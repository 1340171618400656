/** @import { WireApi } from "../types/encode.js" */

/**
 * The interfaces that can be written. The compiler holds the names against those of the declarations.
 *
 * @type {Record<WireApi, true>}
 */
const NAMES = { "openai-chat": true, "openai-responses": true, "anthropic-messages": true };

export const TARGETS = Object.keys(NAMES);
