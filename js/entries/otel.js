// A separate entry, because it needs @opentelemetry/api. It imports nothing from the rest of respool.
export { otelTracer } from "../tracing/otel.js";
