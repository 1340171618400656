// A tracing backend that records its spans.
import { tracer } from "respool";

/** Adds a backend while a test runs, and returns its spans: `{ name, parent, emitted: [key, value][], isOver }`. */
export function recordSpans(t, name = "recorder") {
  const spans = [];
  tracer.add(name, (spanName, parent) => {
    const span = { name: spanName, parent, emitted: [], isOver: false };
    span.emit = (key, value) => span.emitted.push([key, value]);
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

export const keysOf = (span) => span.emitted.map(([key]) => key);

export const spanValue = (span, key) => span.emitted.find(([other]) => other === key)?.[1];
