/** One span for a stream: what it gave is recorded, and told once it is exhausted, fails or is left. */

import { emitResponse } from "./answer.js";
import { isTraced, openSpan } from "./tracer.js";

/**
 * The same items, of deltas or of processStream. `inputs` is what the span says of the call; `resultOf` gives the
 * StreamResult at the end. While nobody listens it is the generator itself.
 */
export function traceItems(items, signature, inputs, resultOf, parent) {
  return isTraced() ? record(items, signature, inputs, resultOf, parent) : items;
}

async function* record(items, signature, inputs, resultOf, parent) {
  const span = openStream(signature, inputs, parent);
  let failure;
  try {
    for await (const item of items) {
      span?.add(item);
      yield item;
    }
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    span?.end(resultOf(), failure);
  }
}

/** The span of a stream; undefined while nobody listens. */
export function openStream(signature, inputs, parent) {
  const span = openSpan("process", parent);
  if (span === undefined) return undefined;
  span.emit("signature", signature);
  span.emit("inputs", inputs);
  return new StreamSpan(span);
}

class StreamSpan {
  #span;
  #items = [];
  /** The texts that go on, by what they are of: a secret is found only in a text that is whole. */
  #open = new Map();

  constructor(span) {
    this.#span = span;
  }

  add(item) {
    const isString = typeof item === "string";
    // The end of a call, and the result, have its arguments whole.
    if (item.type === "tool-call-delta" || item.type === "json") return;
    if (!isString && item.text === undefined) {
      this.#open.clear();
      this.#items.push(item);
      return;
    }
    const kind = isString ? "" : `${item.type} ${item.choice ?? 0}`;
    const before = this.#open.get(kind);
    if (before) before.text += isString ? item : item.text;
    else {
      const entry = isString ? { text: item } : { ...item };
      this.#open.set(kind, entry);
      this.#items.push(entry);
    }
  }

  end(result, error) {
    const span = this.#span;
    span.emit(
      "items",
      this.#items.map((item) => (item.type || item.text === undefined ? item : item.text)),
    );
    if (result) {
      const { response, ...rest } = result;
      span.emit("result", rest);
      emitResponse(span, response);
    }
    span.emit("error", error ?? (result?.ending === "failed" ? result.error : undefined));
    span.end();
  }
}
