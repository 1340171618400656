// UTF-16, which PowerShell writes with `>` and `tee`. Streams are UTF-8.

const PROBE = 256;

/**
 * Converts the text to UTF-8; undefined if the bytes aren't UTF-16.
 *
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export function fromUtf16(bytes) {
  const order = orderOf(bytes);
  return order && new TextEncoder().encode(new TextDecoder(order).decode(bytes));
}

/** @param {Uint8Array} bytes @returns {"utf-16le" | "utf-16be" | undefined} */
function orderOf(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  // Without a byte order mark: every other byte of ASCII is zero.
  const pairs = Math.min(bytes.length, PROBE) >> 1;
  if (pairs < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (let pair = 0; pair < pairs; pair++) {
    if (bytes[2 * pair] === 0) even += 1;
    if (bytes[2 * pair + 1] === 0) odd += 1;
  }
  if (even === 0 && odd > pairs * 0.8) return "utf-16le";
  return odd === 0 && even > pairs * 0.8 ? "utf-16be" : undefined;
}
