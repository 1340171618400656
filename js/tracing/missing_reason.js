/**
 * Replaces a missing finish reason: an answer without one has failed, but those of Workers AI never have one.
 *
 * @param {string | undefined} api
 */
export const missingReason = (api) => (api === "workers-ai" ? "stop" : "error");
