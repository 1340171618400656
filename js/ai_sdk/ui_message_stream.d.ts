import type { Delta, Failure, StreamSource, StreamSourceOptions } from "respool";

/** A chunk of the AI SDK's UI message stream. All of these are read by its versions 5 to 7. */
export type UIMessageChunk =
  | { type: "start"; messageId?: string }
  | { type: "start-step" | "finish-step" }
  | { type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; id: string }
  | { type: "text-delta" | "reasoning-delta"; id: string; delta: string }
  | { type: "tool-input-start"; toolCallId: string; toolName: string }
  | { type: "tool-input-delta"; toolCallId: string; inputTextDelta: string }
  | {
      type: "tool-input-available";
      toolCallId: string;
      toolName: string;
      input: unknown;
      providerExecuted?: boolean;
      dynamic?: boolean;
    }
  | { type: "tool-input-error"; toolCallId: string; toolName: string; input: unknown; errorText: string }
  | { type: "tool-output-available"; toolCallId: string; output: unknown; providerExecuted?: boolean; dynamic?: boolean }
  | { type: "source-url"; sourceId: string; url: string; title?: string }
  | { type: "source-document"; sourceId: string; mediaType: string; title: string; filename?: string }
  | { type: "file"; url: string; mediaType: string }
  | { type: "error"; errorText: string }
  | { type: "abort" }
  | { type: "finish"; finishReason?: UIFinishReason; messageMetadata?: unknown };

/** Why an answer ended, in the words of the AI SDK. */
export type UIFinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";

/** The tokens of all steps of an answer, in the words of the AI SDK. What no provider told is missing. */
export interface UIUsage {
  inputTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
  reasoningTokens?: number;
  cachedInputTokens?: number;
}

/** What an answer is read from: deltas, or anything that `streamDeltas` reads. */
export type UIMessageSource = StreamSource | AsyncIterable<Delta> | Iterable<Delta> | ReadableStream<Delta>;

/** Options; those of `streamDeltas` count for what is not deltas yet. */
export interface UIMessageStreamOptions extends StreamSourceOptions {
  /** The id of the message; without it the page makes one. */
  messageId?: string;
  /** What the finished message has as its metadata; by default `{ usage }` if a provider told it. */
  messageMetadata?: (end: { finishReason?: UIFinishReason; usage?: UIUsage }) => unknown;
  /** What the page is told of an error; by default that there was one, and no more. */
  onError?: (error: Failure | Error | unknown) => string;
  /** Whether the page gets the reasoning; by default it does. */
  sendReasoning?: boolean;
  /** Whether the page gets what is cited; by default it does. */
  sendSources?: boolean;
}

/**
 * An answer as the stream of chunks that the AI SDK's `useChat` and `readUIMessageStream` read. It never fails: what goes
 * wrong is a chunk, `error`, or `abort` when the signal was. Cancelling it closes the source.
 *
 * @example
 * ```ts
 * import { streamDeltas } from "respool";
 * import { toUIMessageStream } from "respool/ai-sdk";
 *
 * const deltas = streamDeltas([{ choices: [{ delta: { content: "Hi" }, finish_reason: "stop" }] }]);
 * for await (const chunk of toUIMessageStream(deltas)) console.log(chunk.type);
 * // → start
 * // → start-step
 * // → text-start
 * // → text-delta
 * // → text-end
 * // → finish-step
 * // → finish
 * ```
 */
export declare function toUIMessageStream(input: UIMessageSource, options?: UIMessageStreamOptions): ReadableStream<UIMessageChunk>;

/**
 * The same as the response of a server: server-sent events, with the header by which the AI SDK knows them.
 *
 * @example
 * ```ts
 * import { toUIMessageStreamResponse } from "respool/ai-sdk";
 *
 * const answer = await fetch("https://api.openai.com/v1/chat/completions", { method: "POST" });
 * const response = toUIMessageStreamResponse(answer);
 * console.log(response.headers.get("x-vercel-ai-ui-message-stream")); // → v1
 * ```
 */
export declare function toUIMessageStreamResponse(
  input: UIMessageSource,
  options?: UIMessageStreamOptions & { status?: number; statusText?: string; headers?: ConstructorParameters<typeof Headers>[0] },
): Response;
