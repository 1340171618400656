// The same pieces in every form of a stream that a program may have. Each source logs that it was opened, and whether it
// was read to its end ("over") or left ("closed").
const macrotask = () => new Promise((resolve) => setImmediate(resolve));

/** Yields pieces one by one, then ends, or fails with `error`. `wait` is the number of turns to wait before each. */
function open({ pieces, error, log, wait }) {
  let at = 0;
  let isOver = false;
  log.push("opened");
  const end = (how) => {
    if (!isOver) log.push(how);
    isOver = true;
    return { done: true, value: undefined };
  };
  const next = () => {
    if (at < pieces.length && !isOver) return { done: false, value: pieces[at++] };
    const isFirst = !isOver;
    end("over");
    if (error && isFirst) throw error;
    return { done: true, value: undefined };
  };
  const nextLater = async () => {
    for (let left = wait(); left > 0; left--) await (left % 2 ? null : macrotask());
    return next();
  };
  return { next, nextLater, close: () => end("closed") };
}

function readable(given, type) {
  const source = open(given);
  const pull = async (controller) => {
    const { done, value } = await source.nextLater();
    if (done) {
      controller.close();
      return controller.byobRequest?.respond(0);
    }
    // A byte stream detaches the buffer.
    controller.enqueue(type === "bytes" ? value.slice() : value);
  };
  return new ReadableStream({ type, pull, cancel: () => void source.close() }, { highWaterMark: 0 });
}

async function* generated({ pieces, error, log }) {
  log.push("opened");
  let isOver = false;
  try {
    yield* pieces;
    isOver = true;
    if (error) throw error;
  } finally {
    log.push(isOver ? "over" : "closed");
  }
}

const withoutAsync = (stream) => Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined });

/** Functions that create sources, by form. Those in `BYTE_FORMS` accept only bytes. */
export const FORMS = {
  "an iterable": (given) => ({
    [Symbol.iterator]() {
      const { next, close } = open(given);
      return { next, return: close };
    },
  }),
  "an async iterable": (given) => ({
    [Symbol.asyncIterator]() {
      const { nextLater, close } = open(given);
      return { next: nextLater, return: async () => close() };
    },
  }),
  "a generator": generated,
  "a ReadableStream": readable,
  "a ReadableStream that isn't iterable": (given) => withoutAsync(readable(given)),
  "a promise": async (given) => {
    await macrotask();
    return readable(given);
  },
  "a stream through another one": (given) => readable(given).pipeThrough(new TransformStream(), { highWaterMark: 0 }),
  "what only has a body": (given) => ({ status: 200, body: generated(given) }),
};

export const BYTE_FORMS = {
  "a ReadableStream of bytes": (given) => readable(given, "bytes"),
  "a Response": (given) => new Response(readable(given)),
  "a promise of a Response": async (given) => new Response(readable(given, "bytes")),
};
