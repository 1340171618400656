/** The deltas of whatever a user has. */

import { streamDeltas } from "respool";
import { orAbort } from "../abort.js";

/** All but "error", which is the type of events of providers, too: as a first item it is read as one. */
const DELTAS = new Set([
  "text", "reasoning", "refusal", "tool-call-start", "tool-call-delta", "tool-call-end", "json", "annotation", "server-tool", "image",
  "audio", "usage", "finish", "warning",
]);

/** Ends at once when the signal is aborted, also while the input has nothing to say. */
export async function* deltasOf(input, options) {
  const { signal } = options;
  let iterator;
  let isOver = false;
  try {
    iterator = await openDeltas(input, options);
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await orAbort(iterator.next(), signal);
      if (done) break;
      yield value;
    }
    isOver = true;
  } finally {
    // Nobody waits for it: it may be in the middle of a read that never ends.
    if (!isOver) Promise.resolve(iterator?.return?.()).catch(() => {});
  }
}

/** An iterator over deltas: the input's own, or one over what streamDeltas makes of it. */
async function openDeltas(input, options) {
  options.signal.throwIfAborted();
  const source = await orAbort(input, options.signal);
  const iterator = iteratorOf(source);
  if (iterator === undefined) return streamDeltas(source, options);
  const first = await orAbort(iterator.next(), options.signal);
  const all = { next: firstThen(first, iterator), return: () => iterator.return?.(), [Symbol.asyncIterator]: () => all };
  return first.done || DELTAS.has(first.value?.type) ? all : streamDeltas(all, options);
}

function iteratorOf(source) {
  if (typeof source !== "object" || source === null || ArrayBuffer.isView(source)) return undefined;
  if (typeof source.getReader === "function") return readerIterator(source.getReader());
  return source[Symbol.asyncIterator]?.() ?? source[Symbol.iterator]?.();
}

const readerIterator = (reader) => ({ next: () => reader.read(), return: () => reader.cancel() });

function firstThen(first, iterator) {
  let isFirst = true;
  return async () => {
    if (!isFirst) return iterator.next();
    isFirst = false;
    return first;
  };
}
