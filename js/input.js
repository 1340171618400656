/** What users hand over. */

const encoder = new TextEncoder();

/** The bytes of an ArrayBuffer or of a view of one, and of a string where that will do too. */
export function bytesOf(value, orText) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return orText && typeof value === "string" ? encoder.encode(value) : undefined;
}

/** What a value is, for messages. */
export function describe(value) {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
