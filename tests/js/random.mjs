// Pseudorandom numbers, the same for a seed.

/** Returns a function that returns the next number below `end` (xorshift). */
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
