// A tracing backend that keeps what it was told.
import { tracer } from "respool";

/** Adds a backend for as long as a test runs; gives its spans: `{ name, parent, told: [key, value][], isOver }`. */
export function recordSpans(t, name = "recorder") {
  const spans = [];
  tracer.add(name, (spanName, parent) => {
    const span = { name: spanName, parent, told: [], isOver: false };
    span.emit = (key, value) => span.told.push([key, value]);
    span.end = () => {
      if (span.isOver) throw new Error("a span is over once");
      span.isOver = true;
    };
    spans.push(span);
    return span;
  });
  t.after(() => tracer.clear());
  return spans;
}

export const keysOf = (span) => span.told.map(([key]) => key);

export const spanValue = (span, key) => span.told.find(([other]) => other === key)?.[1];
