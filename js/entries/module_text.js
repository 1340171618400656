// Bytes as ASCII text, for the entry that has the module in it. Each byte is one character, or two if it is a rare
// one, so that the text is smaller than base64, and packs as well as the bytes do: base64 cuts them in pieces of six
// bits, of which no two are alike.

/** Printable, but for what would have to be escaped in a script or in a page. */
const CHARACTERS = Array.from({ length: 95 }, (_, at) => String.fromCharCode(at + 32)).filter((c) => !'"\\<'.includes(c));

/** So many of the bytes are one character; the last two characters begin a pair. */
const SINGLE = CHARACTERS.length - 2;

/** The text of bytes, and the bytes by how frequent they are. */
export function textOf(bytes) {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte]++;
  const order = Array.from(counts.keys()).sort((a, b) => counts[b] - counts[a] || a - b);
  const ranks = new Map(order.map((byte, rank) => [byte, rank]));
  const pair = (rank) => CHARACTERS[SINGLE + Math.floor(rank / CHARACTERS.length)] + CHARACTERS[rank % CHARACTERS.length];
  const word = (rank) => (rank < SINGLE ? CHARACTERS[rank] : pair(rank - SINGLE));
  return { order, length: bytes.length, text: Array.from(bytes, (byte) => word(ranks.get(byte))).join("") };
}

/** The bytes of a text. It runs but once, so what counts is the time of code that no engine has optimised yet. */
export function bytesOf({ order, length, text }) {
  const codes = new TextEncoder().encode(text);
  const ranks = new Uint8Array(128);
  CHARACTERS.forEach((character, rank) => (ranks[character.charCodeAt(0)] = rank));
  const bytes = new Uint8Array(length);
  for (let at = 0, from = 0; at < length; at++) {
    let rank = ranks[codes[from++]];
    if (rank >= SINGLE) rank = SINGLE + (rank - SINGLE) * CHARACTERS.length + ranks[codes[from++]];
    bytes[at] = order[rank];
  }
  return bytes;
}
