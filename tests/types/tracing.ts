// Tracing backends.
import type { Tracer } from "@opentelemetry/api";
import { expectTypeOf } from "expect-type";
import { consoleTracer, tracer } from "respool";
import type { SpanFactory, TraceSpan } from "respool";
import { otelTracer } from "respool/otel";

tracer.add("own", (name, parent) => {
  expectTypeOf(parent).toEqualTypeOf<TraceSpan | undefined>();
  return name === "process" ? { emit: (key: string, value: unknown) => void [key, value], end: () => {} } : undefined;
});
expectTypeOf(tracer.remove("own")).toEqualTypeOf<boolean>();
tracer.clear();
// @ts-expect-error: not a backend
tracer.add("own", {});
// @ts-expect-error: a span has to end
tracer.add("own", () => ({ emit: () => {} }));

expectTypeOf(consoleTracer({ write: (line) => expectTypeOf(line).toEqualTypeOf<string>() })).toEqualTypeOf<SpanFactory>();
// @ts-expect-error: misspelt
consoleTracer({ writes: () => {} });

declare const otel: Tracer;
expectTypeOf(otelTracer(otel, { captureContent: true })).toEqualTypeOf<SpanFactory>();
tracer.add("otel", otelTracer());
