// Numbers that look random and are always the same.

/** A function that gives the next number, less than `end` (xorshift). */
export function numbersFrom(seed) {
  let state = (seed * 0x9e3779b1) >>> 0 || 1;
  return (end) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % end;
  };
}
