// OpenTelemetry's own provider, which keeps the spans of a test in memory.
import { after, afterEach, before, beforeEach } from "node:test";
import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { tracer } from "respool";
import { otelTracer } from "respool/otel";

const exporter = new InMemorySpanExporter();
export const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
export const otel = provider.getTracer("tests");

/** Returns the ended spans of this test. */
export const spans = () => exporter.getFinishedSpans();

/** Traces each test of the file that calls this. */
export function traceTests() {
  before(() => context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));
  after(() => context.disable());
  beforeEach(() => tracer.add("otel", otelTracer(otel)));
  afterEach(() => {
    tracer.clear();
    exporter.reset();
  });
}
