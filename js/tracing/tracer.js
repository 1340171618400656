/** The registered tracing backends, and the spans that they receive. */

/** @import { AnnotatedLlmResponse, SpanFactory, SpanKey, SpanName, TraceSpan } from "../types/api.js" */

import { quote } from "../input.js";
import { refuse } from "../read_option.js";
import { redact } from "./redact.js";

const BACKENDS = Symbol.for("respool.tracer.backends");
const shared = /** @type {{ [BACKENDS]?: [name: string, factory: SpanFactory][] }} */ (globalThis);

shared[BACKENDS] ??= [];

/** Shared by all copies of the package in one program. */
const backends = shared[BACKENDS];

/** @param {string} name */
const indexOf = (name) => backends.findIndex(([other]) => other === name);

/**
 * @type {{
 *   add(name: string, factory: SpanFactory): void,
 *   remove(name: string): boolean,
 *   clear(): void,
 * }}
 */
export const tracer = Object.freeze({
  /**
   * @param {string} name
   * @param {SpanFactory} factory
   * @returns {void}
   */
  add(name, factory) {
    if (typeof name !== "string" || name === "") refuse(`A tracing backend needs a name, not ${quote(name)}`);
    if (typeof factory !== "function") {
      refuse(`A tracing backend must be a function (name, parent) => { emit, end }, not ${quote(factory)}`);
    }
    const index = indexOf(name);
    backends[index < 0 ? backends.length : index] = [name, factory];
  },

  /**
   * @param {string} name
   * @returns {boolean}
   */
  remove(name) {
    const index = indexOf(name);
    if (index >= 0) backends.splice(index, 1);
    return index >= 0;
  },

  /** @returns {void} */
  clear() {
    backends.length = 0;
  },
});

/**
 * Calls a backend. A failure in it, now or later, never affects the traced call.
 *
 * @template T
 * @param {() => T} call
 * @returns {T | undefined}
 */
function attempt(call) {
  try {
    const value = call();
    const thenable = /** @type {PromiseLike<unknown> | null | undefined} */ (value);
    if (typeof thenable?.then === "function") thenable.then(undefined, () => {});
    return value;
  } catch {
    return undefined;
  }
}

/** A span, consisting of one span per backend. */
export class Span {
  /**
   * The spans that the backends created, by the backend's name.
   *
   * @type {Map<string, TraceSpan>}
   */
  #parts = new Map();

  /**
   * @param {SpanName} name
   * @param {Span} [parent]
   */
  constructor(name, parent) {
    for (const [backend, factory] of backends.slice()) {
      const part = attempt(() => factory(name, parent?.partOf(backend)));
      if (typeof part === "object" && part !== null) this.#parts.set(backend, part);
    }
  }

  /** @param {string} backend */
  partOf(backend) {
    return this.#parts.get(backend);
  }

  /**
   * @param {SpanKey} key
   * @param {unknown} value
   */
  emit(key, value) {
    if (value === undefined || this.#parts.size === 0) return;
    const copy = redact(value);
    for (const part of this.#parts.values()) attempt(() => part.emit(key, copy));
  }

  /**
   * Passes a response to the backends that accept whole responses.
   *
   * @param {AnnotatedLlmResponse} response
   */
  emitResponse(response) {
    const parts = [...this.#parts.values()].filter((part) => attempt(() => typeof part.emitResponse === "function"));
    if (parts.length === 0) return;
    const copy = /** @type {AnnotatedLlmResponse} */ (redact(response));
    for (const part of parts) attempt(() => part.emitResponse?.(copy));
  }

  /**
   * Calls a function inside the span, for backends that track the active span.
   *
   * @template T
   * @param {() => T} call
   * @returns {T}
   */
  run(call) {
    let outer = call;
    for (const part of this.#parts.values()) outer = inside(part, outer);
    return outer();
  }

  end() {
    for (const part of this.#parts.values()) attempt(() => part.end());
    this.#parts.clear();
  }
}

/**
 * Wraps a function so that it is called exactly once and keeps its own outcome, whatever the backend does.
 *
 * @template T
 * @param {TraceSpan} part
 * @param {() => T} call
 * @returns {() => T}
 */
const inside = (part, call) => () => {
  /** @type {Outcome<T> | undefined} */
  let outcome;
  const once = () => {
    outcome ??= settle(call);
    return "value" in outcome ? outcome.value : undefined;
  };
  attempt(() => part.run?.(once));
  once();
  const settled = /** @type {Outcome<T>} */ (/** @type {unknown} */ (outcome));
  if ("error" in settled) throw settled.error;
  return settled.value;
};

/**
 * @template T
 * @typedef {{ value: T } | { error: unknown }} Outcome
 */

/**
 * @template T
 * @param {() => T} call
 * @returns {Outcome<T>}
 */
function settle(call) {
  try {
    return { value: call() };
  } catch (error) {
    return { error };
  }
}

export const isTraced = () => backends.length > 0;

/**
 * Opens a span. Without backends it returns undefined at the cost of one comparison:
 * `openSpan("turn")?.emit("inputs", { … })` creates no object then.
 *
 * @param {SpanName} name
 * @param {Span} [parent]
 */
export function openSpan(name, parent) {
  return isTraced() ? new Span(name, parent) : undefined;
}
