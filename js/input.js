/** What users hand over. */

const encoder = new TextEncoder();

/**
 * The bytes of an ArrayBuffer or of a view of one, and of a string where that will do too. It does not throw: a proxy
 * may at each question, and what was detached has no bytes.
 */
export function bytesOf(value, orText) {
  try {
    if (value instanceof Uint8Array) return value;
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
  } catch {
    return undefined;
  }
  return orText && typeof value === "string" ? encoder.encode(value) : undefined;
}

/** What a value is, for messages. */
export function describe(value) {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
