// Sources to read from, which note that they were closed.

/** An async generator; `log` gets "closed" when it is left or over. */
export async function* generated(pieces, log = [], error = undefined) {
  try {
    yield* pieces;
    if (error !== undefined) throw error;
  } finally {
    log.push("closed");
  }
}

/** An async iterable that gives the pieces and then nothing, for ever; `log` gets "closed". */
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

/** A ReadableStream that gives the pieces; `end` says what then: "close", "stall", or an error. */
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

/** Some browsers cannot iterate streams. */
export const withoutIterator = (stream) => Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined });

export async function collect(iterable) {
  const items = [];
  for await (const item of iterable) items.push(item);
  return items;
}

/** What an iterable gave, and what it threw then. */
export async function collectUntilThrown(iterable) {
  const items = [];
  try {
    for await (const item of iterable) items.push(item);
  } catch (error) {
    return { items, error };
  }
  return { items, error: undefined };
}
