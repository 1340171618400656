/** Splits a text at random characters. An empty text has no pieces. */
export function piecesOf(text, m) {
  if (typeof text !== "string" || text === "") return [];
  const characters = Array.from(text);
  const pieces = [];
  while (characters.length > 0) pieces.push(characters.splice(0, 1 + m.below(12)).join(""));
  return pieces;
}
