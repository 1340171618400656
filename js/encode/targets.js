/** @import { WireApi } from "../types/encode.js" */

/**
 * The target interfaces. The compiler checks the names against the declarations.
 *
 * @type {Record<WireApi, true>}
 */
const NAMES = { "openai-chat": true, "openai-responses": true, "anthropic-messages": true };

export const TARGETS = Object.keys(NAMES);
