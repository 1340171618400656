// Sources to read from, which log that they were closed.

/** Yields the pieces. `log` gets "closed" when the generator ends or is left. */
export async function* generated(pieces, log = [], error = undefined) {
  try {
    yield* pieces;
    if (error !== undefined) throw error;
  } finally {
    log.push("closed");
  }
}

/** Returns an async iterable that yields the pieces, and then never settles. `log` gets "closed". */
export function stalled(pieces, log = []) {
  const left = [...pieces];
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => (left.length > 0 ? Promise.resolve({ done: false, value: left.shift() }) : new Promise(() => {})),
      return: async () => {
        log.push("closed");
        return { done: true, value: undefined };
      },
    }),
  };
}

/** Returns a ReadableStream of the pieces. `end` says how it ends: "close", "stall", or an error. */
export function readable(pieces, log = [], end = "close") {
  const left = [...pieces];
  return new ReadableStream(
    {
      pull(controller) {
        if (left.length > 0) controller.enqueue(left.shift());
        else if (end === "close") controller.close();
        else if (end !== "stall") controller.error(end);
        return end === "stall" && left.length === 0 ? new Promise(() => {}) : undefined;
      },
      cancel() {
        log.push("closed");
      },
    },
    { highWaterMark: 0 },
  );
}

/** Some browsers can't iterate streams. */
export const withoutIterator = (stream) => Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined });

export async function collect(iterable) {
  const items = [];
  for await (const item of iterable) items.push(item);
  return items;
}

/** Returns the items that an iterable yields, and the error that it then throws. */
export async function collectUntilThrown(iterable) {
  const items = [];
  try {
    for await (const item of iterable) items.push(item);
  } catch (error) {
    return { items, error };
  }
  return { items, error: undefined };
}
