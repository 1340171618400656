import type { AnnotatedLlmResponse } from "../../pkg/wasm/respool.js";

/** The kind of a span: reading an answer, a turn of a request, or a tool call in it. */
export type SpanName = "process" | "turn" | "execute_tool" | (string & {});

/**
 * The key of a value that a span emits. In order: `signature` (the function), `inputs`, for a stream its `items`, then
 * `result`, `response` (`{ api, id, model, finishReasons }`, for a stream with `isStream: true`), `usage`, and `error`
 * if it failed.
 */
export type SpanKey = "signature" | "inputs" | "items" | "result" | "response" | "usage" | "error" | (string & {});

/** One operation, as a backend records it. */
export interface TraceSpan {
  /** Records a value. It is a copy without secrets, which you may keep. */
  emit(key: SpanKey, value: unknown): void;
  /**
   * Receives the whole response, as `decode` returns it and without secrets, after its `usage`. Vectors and images have no
   * such response.
   */
  emitResponse?(response: AnnotatedLlmResponse): void;
  /** Ends the span. Called once. */
  end(): void;
  /** Calls a function inside the span. Tools run this way. The function is called once, whatever `run` does. */
  run?(call: () => unknown): unknown;
}

/**
 * A backend: called at the start of each span, with the span that it returned for the enclosing one. If it returns
 * nothing, the span isn't recorded.
 */
export type SpanFactory = (name: SpanName, parent?: TraceSpan) => TraceSpan | undefined;

/**
 * The backends that record calls of `process`, `processAsync`, `processStream`, `streamDeltas`, `StreamDeltas`,
 * `collect`, `tap` and `runRequest`. Values under keys that contain `secret`, `password`, `api_key`, `apikey`, `auth`, `credential`, `cookie` or
 * `token` are redacted first, even inside JSON text; counts such as `prompt_tokens` aren't. A failing backend never
 * affects the call. Without backends, tracing costs nothing.
 *
 * @example
 * ```ts
 * import { processResponse, tracer } from "respool";
 *
 * tracer.add("usage", () => ({
 *   emit(key, value) {
 *     if (key === "usage") console.log((value as { totalTokens?: number }).totalTokens);
 *   },
 *   end() {},
 * }));
 * processResponse({}, { choices: [{ message: { content: "Hi" } }], usage: { total_tokens: 15 } }); // → 15
 * tracer.remove("usage");
 * ```
 */
export declare const tracer: {
  /**
   * Adds a backend, or replaces the one with this name.
   * @throws {@link RespoolError} `invalid-option`
   */
  add(name: string, factory: SpanFactory): void;
  /** Removes a backend. Returns whether there was one with this name. */
  remove(name: string): boolean;
  /** Removes all backends. */
  clear(): void;
};

/** Options of {@link consoleTracer}. */
export interface ConsoleTracerOptions {
  /** Writes a line; by default `console.log`. */
  write?: (line: string) => void;
  /** The maximum length of a value in characters; 1,000 by default. */
  maxLength?: number;
  /** A clock, in milliseconds; by default `performance.now`. */
  now?: () => number;
}

/**
 * A backend that writes readable lines.
 *
 * @example
 * ```ts
 * import { consoleTracer, processResponse, tracer } from "respool";
 *
 * tracer.add("console", consoleTracer({ now: () => 0 }));
 * processResponse({}, { choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] });
 * // → process
 * // →   signature: respool.process
 * // →   inputs: {"agent":{},"response":{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}}
 * // →   result: Hi
 * // →   response: {"api":"openai-chat","finishReasons":["stop"]}
 * // → process took 0.0 ms
 * tracer.clear();
 * ```
 */
export declare function consoleTracer(options?: ConsoleTracerOptions): SpanFactory;
