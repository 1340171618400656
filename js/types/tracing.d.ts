/** What a span is about: reading an answer, the turns of a request, or one call of a tool in it. */
export type SpanName = "process" | "turn" | "execute_tool" | (string & {});

/**
 * What a backend is told, in this order: `signature` (which function), `inputs`, then of a stream its `items`, then
 * `result`, `response` (`{ api, id, model, finishReasons }`), `usage`, and `error` where it failed.
 */
export type SpanKey = "signature" | "inputs" | "items" | "result" | "response" | "usage" | "error" | (string & {});

/** One piece of work, as a backend follows it. */
export interface TraceSpan {
  /** Takes something that became known. The value is a copy in which secrets are replaced: it may be kept. */
  emit(key: SpanKey, value: unknown): void;
  /** The work is over. Called once. */
  end(): void;
  /** Calls a function inside of the span: tools are run by way of it. Whatever it does, the function is called once. */
  run?(call: () => unknown): unknown;
}

/**
 * A backend: called at the beginning of each span, with the span that it made for the one around it. Where it makes
 * nothing the span is not followed.
 */
export type SpanFactory = (name: SpanName, parent?: TraceSpan) => TraceSpan | undefined;

/**
 * Who is told of calls of `process`, `processAsync`, `processStream`, `streamDeltas`, `StreamDeltas` and `runRequest`.
 * Values under keys that contain `secret`, `password`, `api_key`, `apikey`, `auth`, `credential`, `cookie` or `token` are
 * replaced before, also inside of JSON text; counts such as `prompt_tokens` are not. What goes wrong in a backend never
 * reaches the call. Without a backend, tracing costs nothing.
 *
 * @example
 * ```ts
 * import { process, tracer } from "respool";
 *
 * tracer.add("usage", () => ({
 *   emit(key, value) {
 *     if (key === "usage") console.log((value as { totalTokens?: number }).totalTokens);
 *   },
 *   end() {},
 * }));
 * process({}, { choices: [{ message: { content: "Hi" } }], usage: { total_tokens: 15 } }); // → 15
 * tracer.remove("usage");
 * ```
 */
export declare const tracer: {
  /**
   * Adds a backend, in the place of one that has this name.
   * @throws {@link RespoolError} `invalid-option`
   */
  add(name: string, factory: SpanFactory): void;
  /** Answers whether there was one of this name. */
  remove(name: string): boolean;
  /** Removes all. */
  clear(): void;
};

/** Options of {@link consoleTracer}. */
export interface ConsoleTracerOptions {
  /** Takes each line; by default `console.log`. */
  write?: (line: string) => void;
  /** The most characters of a value that are shown; 1,000 by default. */
  maxLength?: number;
  /** A clock, in milliseconds; by default `performance.now`. */
  now?: () => number;
}

/**
 * A backend that writes lines for people.
 *
 * @example
 * ```ts
 * import { consoleTracer, process, tracer } from "respool";
 *
 * tracer.add("console", consoleTracer({ now: () => 0 }));
 * process({}, { choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] });
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
