// A separate entry, because it needs @opentelemetry/api. It doesn't import the main entry.
export { otelTracer } from "../tracing/otel.js";
