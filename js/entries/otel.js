// Apart from the others, because it needs @opentelemetry/api; nothing of respool itself.
export { otelTracer } from "../tracing/otel.js";
