import type { Tracer } from "@opentelemetry/api";
import type { SpanFactory } from "respool";

/** Options of {@link otelTracer}. */
export interface OtelTracerOptions {
  /**
   * Whether spans include content: `gen_ai.output.messages`, `gen_ai.tool.call.arguments` and
   * `gen_ai.tool.call.result`, and the messages and stacks of errors, which may quote it. False by default, as the
   * conventions recommend.
   */
  captureContent?: boolean;
}

/**
 * A backend that creates OpenTelemetry spans with the attributes of the GenAI conventions, as children of the active span.
 *
 * @param tracer - creates the spans; by default `trace.getTracer("respool")`
 *
 * @example
 * ```ts
 * import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
 * import { processResponse, tracer } from "respool";
 * import { otelTracer } from "respool/otel";
 *
 * const exporter = new InMemorySpanExporter();
 * const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
 *
 * tracer.add("otel", otelTracer(provider.getTracer("my-app")));
 * const agent = { model: { id: "gpt-4.1-mini", provider: "openai" } };
 * processResponse(agent, { choices: [{ message: { content: "Hi" } }], usage: { completion_tokens: 6 } });
 *
 * const [span] = exporter.getFinishedSpans();
 * console.log(span?.name, span?.attributes["gen_ai.usage.output_tokens"]); // → chat gpt-4.1-mini 6
 * tracer.remove("otel");
 * ```
 */
export declare function otelTracer(tracer?: Tracer, options?: OtelTracerOptions): SpanFactory;
