/** The deltas of whatever a user has. */

import { streamDeltas } from "respool";
import { orAbort } from "../abort.js";

/** All but "error", which is the type of events of providers, too. */
const DELTAS = new Set([
  "text",
  "reasoning",
  "refusal",
  "tool-call-start",
  "tool-call-delta",
  "tool-call-end",
  "json",
  "annotation",
  "server-tool",
  "image",
  "audio",
  "usage",
  "finish",
  "warning",
]);

/** What deltas of type "error" have as their code; events of providers do not. */
const FAILURES = new Set(["provider-error", "limit-exceeded", "codec-error", "aborted"]);

const isDelta = (value) => DELTAS.has(value?.type) || (value?.type === "error" && FAILURES.has(value.error?.code));

/** Ends at once when the signal is aborted, also while the input has nothing to say. */
export async function* deltasOf(input, options) {
  const { signal } = options;
  let iterator;
  try {
    iterator = await openDeltas(input, options);
    for (;;) {
      const { done, value } = await nextOf(iterator, signal);
      if (done) return;
      yield value;
    }
  } finally {
    close(iterator);
  }
}

/** An iterator over deltas: the input's own, or one over what streamDeltas makes of it. */
async function openDeltas(input, options) {
  const { signal } = options;
  // Throws, and closes what is not to be read.
  if (signal.aborted) await streamDeltas(input, options).next();
  const source = await orAbort(input, signal);
  const iterator = iteratorOf(source);
  if (iterator === undefined) return streamDeltas(source, options);
  try {
    const first = await nextOf(iterator, signal);
    const all = { next: firstThen(first, iterator), return: () => iterator.return?.(), [Symbol.asyncIterator]: () => all };
    return first.done || isDelta(first.value) ? all : streamDeltas(all, options);
  } catch (error) {
    close(iterator);
    throw error;
  }
}

function nextOf(iterator, signal) {
  signal.throwIfAborted();
  return orAbort(iterator.next(), signal);
}

/** Nobody waits for it: the source may be in the middle of a read that never ends. One that is over does nothing. */
async function close(iterator) {
  try {
    await iterator?.return?.();
  } catch {
    // It is gone anyway.
  }
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
