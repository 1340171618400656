/** The bytes of base64: by Buffer where there is one, which takes a tenth of the time. */
export function bytesOf(base64) {
  return globalThis.Buffer?.from(base64, "base64") ?? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
