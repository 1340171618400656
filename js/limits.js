/** Limits that aren't options. */

/**
 * The largest body, or line of a file, in bytes: the default of `limits.maxEventBytes`. A longer one is refused without its
 * rest being read.
 */
export const MAX_BODY_BYTES = 2 ** 27;
