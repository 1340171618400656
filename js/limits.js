/** Limits that aren't options. */

/**
 * Maximum size in bytes of a body, or of a line of a file: the default of `limits.maxEventBytes`. A longer one is
 * rejected without reading the rest.
 */
export const MAX_BODY_BYTES = 2 ** 27;

/** The default of `limits.maxTotalBytes`. */
export const MAX_TOTAL_BYTES = 2 ** 30;
