/** Who is told of calls, and the spans that they are told of. */

import { refuse } from "../options.js";
import { redact } from "./redact.js";

/** `[name, factory]` of each backend. All copies of the package in one program have the same ones. */
const backends = (globalThis[Symbol.for("respool.tracer.backends")] ??= []);

const placeOf = (name) => backends.findIndex(([other]) => other === name);

export const tracer = Object.freeze({
  add(name, factory) {
    if (typeof name !== "string" || name === "") refuse("a tracing backend needs a name");
    if (typeof factory !== "function")
      refuse("a tracing backend is a function that is given the name of a span and makes { emit, end }");
    const place = placeOf(name);
    backends[place < 0 ? backends.length : place] = [name, factory];
  },

  remove(name) {
    const place = placeOf(name);
    if (place >= 0) backends.splice(place, 1);
    return place >= 0;
  },

  clear() {
    backends.length = 0;
  },
});

/** Calls what a backend gave. Whatever goes wrong in it, also later, is nobody's business. */
function attempt(call) {
  try {
    const value = call();
    if (typeof value?.then === "function") value.then(undefined, () => {});
    return value;
  } catch {
    return undefined;
  }
}

/** One piece of work, for all backends. */
class Span {
  /** What the backends made for it, by their names. */
  #parts = new Map();

  constructor(name, parent) {
    for (const [backend, factory] of backends.slice()) {
      const part = attempt(() => factory(name, parent?.partOf(backend)));
      if (typeof part === "object" && part !== null) this.#parts.set(backend, part);
    }
  }

  partOf(backend) {
    return this.#parts.get(backend);
  }

  emit(key, value) {
    if (value === undefined || this.#parts.size === 0) return;
    const copy = redact(value);
    for (const part of this.#parts.values()) attempt(() => part.emit(key, copy));
  }

  /** Calls a function inside of the span, for backends that know what they are inside of. */
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

/** The function called once, by a backend if it does so, and with its own outcome whatever the backend does. */
const inside = (part, call) => () => {
  let outcome;
  const once = () => {
    outcome ??= settle(call);
    return outcome.value;
  };
  attempt(() => part.run?.(once));
  once();
  if (outcome.isThrown) throw outcome.error;
  return outcome.value;
};

function settle(call) {
  try {
    return { value: call() };
  } catch (error) {
    return { isThrown: true, error };
  }
}

export const isTraced = () => backends.length > 0;

/**
 * A span with a name, inside of another one if there is one; undefined, at the cost of one comparison, while nobody
 * listens: `openSpan("turn")?.emit("inputs", { … })` makes no object then.
 */
export function openSpan(name, parent) {
  return isTraced() ? new Span(name, parent) : undefined;
}
