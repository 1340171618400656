// The assertions of the behaviour suite, for runtimes without node:assert.

/** Fails unless `value` is truthy. */
export function ok(value, what) {
  if (!value) throw new Error(`expected ${what}`);
}

/** Fails unless both values are equal as JSON. */
export function equal(actual, expected, what) {
  const [a, e] = [JSON.stringify(sorted(actual)), JSON.stringify(sorted(expected))];
  if (a !== e) throw new Error(`${what}: expected ${e}, got ${a}`);
}

/** Runs `work` and resolves with the error that it throws. */
export async function thrownBy(work, what) {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error(`${what}: expected an error, none was thrown`);
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
