/** Traces a stream in one span: records its items, and emits them once the stream is exhausted, fails or is left. */

/** @import { Delta, StreamResult, ToolCall } from "../types/api.js" */
/** @import { Span } from "./tracer.js" */

import { emitResponse } from "./answer.js";
import { isTraced, openSpan } from "./tracer.js";

/** @typedef {Delta | ToolCall | string} Item a delta, or an item of processStream */

/**
 * Passes items through and records them. Without backends it returns the generator itself.
 *
 * @template {Item} T
 * @param {AsyncGenerator<T, void, undefined>} items
 * @param {string} signature
 * @param {object} inputs
 * @param {() => StreamResult | undefined} resultOf returns the result once the stream has ended
 * @param {Span} [parent]
 * @returns {AsyncGenerator<T, void, undefined>}
 */
export function traceItems(items, signature, inputs, resultOf, parent) {
  return isTraced() ? record(items, signature, inputs, resultOf, parent) : items;
}

/**
 * @template {Item} T
 * @param {AsyncGenerator<T, void, undefined>} items
 * @param {string} signature
 * @param {object} inputs
 * @param {() => StreamResult | undefined} resultOf
 * @param {Span | undefined} parent
 * @returns {AsyncGenerator<T, void, undefined>}
 */
async function* record(items, signature, inputs, resultOf, parent) {
  const span = openStreamSpan(signature, inputs, parent);
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

/**
 * Opens the span of a stream; undefined without backends.
 *
 * @param {string} signature
 * @param {object} inputs
 * @param {Span} [parent]
 */
export function openStreamSpan(signature, inputs, parent) {
  const span = openSpan("process", parent);
  if (span === undefined) return undefined;
  span.emit("signature", signature);
  span.emit("inputs", inputs);
  return new StreamSpan(span);
}

class StreamSpan {
  #span;
  /** @type {(Delta | ToolCall | { text: string })[]} */
  #items = [];
  /**
   * The growing text of each choice, and its kind. It is collected because secrets are found only in complete text.
   *
   * @type {Map<number, { kind: string | undefined, entry: { text: string } }>}
   */
  #open = new Map();

  /** @param {Span} span */
  constructor(span) {
    this.#span = span;
  }

  /** @param {Item} item */
  add(item) {
    if (typeof item === "string") {
      this.#append(0, undefined, item, { text: item });
      return;
    }
    const type = "type" in item ? item.type : undefined;
    // The end of a call, and the result, contain its complete arguments.
    if (type === "tool-call-delta" || type === "json") return;
    if ("text" in item) this.#append(item.choice ?? 0, type, item.text, item);
    else {
      this.#open.clear();
      this.#items.push(item);
    }
  }

  /**
   * @param {number} choice
   * @param {string | undefined} kind
   * @param {string} text
   * @param {object} item
   */
  #append(choice, kind, text, item) {
    const open = this.#open.get(choice);
    if (open !== undefined && open.kind === kind) open.entry.text += text;
    else {
      const entry = /** @type {{ text: string }} */ ({ ...item });
      this.#open.set(choice, { kind, entry });
      this.#items.push(entry);
    }
  }

  /**
   * @param {StreamResult | undefined} result
   * @param {unknown} [error]
   */
  end(result, error) {
    const span = this.#span;
    const items = this.#items.map((item) => ("type" in item || !("text" in item) ? item : item.text));
    span.emit("items", items);
    if (result) emitStreamResult(span, result);
    span.emit("error", error ?? (result?.ending === "failed" ? result.error : undefined));
    span.end();
  }
}

/**
 * @param {Span} span
 * @param {StreamResult} result
 */
export function emitStreamResult(span, result) {
  const { response, ...rest } = result;
  span.emit("result", rest);
  emitResponse(span, response, true);
}
