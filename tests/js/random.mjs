// Pseudorandom numbers, determined by a seed. Each test run uses the same ones; `npm run soak` sets other seeds.

/** Returns the seed of a test: `NAME_SEED`, else `RANDOM_SEED`, else 1. */
export function seedOf(name) {
  return Number(process.env[`${name}_SEED`] ?? process.env.RANDOM_SEED ?? 1);
}

/** Returns the number of rounds of a test: `NAME_ROUNDS`, else the usual number times `RANDOM_ROUNDS`. */
export function roundsOf(name, usual) {
  return Number(process.env[`${name}_ROUNDS`] ?? usual * Number(process.env.RANDOM_ROUNDS ?? 1));
}

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
