/**
 * The symbol under which a structured result keeps the JSON text that it was parsed from.
 *
 * @type {unique symbol}
 */
export const RAW_JSON = Symbol.for("respool.raw-json");
