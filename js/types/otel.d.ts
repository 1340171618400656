import type { Tracer } from "@opentelemetry/api";
import type { SpanFactory } from "respool";

/** Options of {@link otelTracer}. */
export interface OtelTracerOptions {
  /**
   * Whether spans tell what was said, too: `gen_ai.output.messages`, `gen_ai.tool.call.arguments` and
   * `gen_ai.tool.call.result`. False by default, as the conventions ask for.
   */
  captureContent?: boolean;
}

/**
 * A backend that makes OpenTelemetry spans with the attributes of the GenAI conventions. They are inside of the span that
 * is active when they begin.
 *
 * @param tracer - makes the spans; by default that of `trace.getTracer("respool")`
 *
 * @example
 * ```ts
 * import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
 * import { process, tracer } from "respool";
 * import { otelTracer } from "respool/otel";
 *
 * const exporter = new InMemorySpanExporter();
 * const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
 *
 * tracer.add("otel", otelTracer(provider.getTracer("my-app")));
 * const agent = { model: { id: "gpt-4.1-mini", provider: "openai" } };
 * process(agent, { choices: [{ message: { content: "Hi" } }], usage: { completion_tokens: 6 } });
 *
 * const [span] = exporter.getFinishedSpans();
 * console.log(span?.name, span?.attributes["gen_ai.usage.output_tokens"]); // → chat gpt-4.1-mini 6
 * tracer.remove("otel");
 * ```
 */
export declare function otelTracer(tracer?: Tracer, options?: OtelTracerOptions): SpanFactory;
