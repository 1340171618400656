import type { Delta, Failure, RequestHeaders, StreamSource, StreamSourceOptions } from "respool";

/** A chunk of the AI SDK's UI message stream. All of these are read by its versions 5 to 7. */
export type UIMessageChunk =
  /** The message begins. */
  | {
      type: "start";
      /** Its id, where the server keeps it. */
      messageId?: string;
    }
  /** An answer in the message begins or is over. */
  | { type: "start-step" | "finish-step" }
  /** A part of text or reasoning begins or is over. */
  | {
      type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end";
      /** The id of the part. */
      id: string;
    }
  /** More of a part. */
  | {
      type: "text-delta" | "reasoning-delta";
      /** The id of the part. */
      id: string;
      /** What is to be appended. */
      delta: string;
    }
  /** A tool call begins. */
  | {
      type: "tool-input-start";
      /** The id of the call. */
      toolCallId: string;
      /** The name of the tool. */
      toolName: string;
    }
  /** More of the arguments of a tool call. */
  | {
      type: "tool-input-delta";
      /** The id of the call. */
      toolCallId: string;
      /** JSON text that is to be appended. */
      inputTextDelta: string;
    }
  /** The arguments of a tool call are whole. */
  | {
      type: "tool-input-available";
      /** The id of the call. */
      toolCallId: string;
      /** The name of the tool. */
      toolName: string;
      /** The parsed arguments. */
      input: unknown;
      /** Whether the provider runs the tool itself. */
      providerExecuted?: boolean;
      /** Whether the page has no type for the tool. */
      dynamic?: boolean;
    }
  /** The arguments of a tool call cannot be used. */
  | {
      type: "tool-input-error";
      /** The id of the call. */
      toolCallId: string;
      /** The name of the tool. */
      toolName: string;
      /** The arguments as text, as far as they came. */
      input: unknown;
      /** What is wrong with them. */
      errorText: string;
    }
  /** A tool that the provider runs has answered. */
  | {
      type: "tool-output-available";
      /** The id of the call. */
      toolCallId: string;
      /** What it answered. */
      output: unknown;
      /** Whether the provider ran the tool itself. */
      providerExecuted?: boolean;
      /** Whether the page has no type for the tool. */
      dynamic?: boolean;
    }
  /** A page that is cited. */
  | {
      type: "source-url";
      /** The id of the source. */
      sourceId: string;
      /** Its address. */
      url: string;
      /** Its title. */
      title?: string;
    }
  /** A document that is cited. */
  | {
      type: "source-document";
      /** The id of the source. */
      sourceId: string;
      /** For example `"application/pdf"`. */
      mediaType: string;
      /** Its title. */
      title: string;
      /** The name of its file. */
      filename?: string;
    }
  /** An image, or speech. */
  | {
      type: "file";
      /** Its address, also a `data:` one. */
      url: string;
      /** For example `"image/png"`. */
      mediaType: string;
    }
  /** Something went wrong. */
  | {
      type: "error";
      /** What the page is told of it. */
      errorText: string;
    }
  /** The signal ended the message. */
  | { type: "abort" }
  /** The message is over. */
  | {
      type: "finish";
      /** Why the last answer ended. */
      finishReason?: UIFinishReason;
      /** What `messageMetadata` gave. */
      messageMetadata?: unknown;
    };

/** Why an answer ended, in the words of the AI SDK. */
export type UIFinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";

/** The tokens of all steps of an answer, in the words of the AI SDK. What no provider told is missing. */
export interface UIUsage {
  /** Tokens of the prompts. */
  inputTokens?: number;
  /** Tokens of the answers. */
  outputTokens?: number;
  /** Tokens in all. */
  totalTokens?: number;
  /** Tokens of the answers that were reasoning. */
  reasoningTokens?: number;
  /** Tokens of the prompts that were read from a cache. */
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
export declare function toUIMessageStream(
  input: UIMessageSource,
  options?: UIMessageStreamOptions,
): ReadableStream<UIMessageChunk>;

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
  options?: UIMessageStreamOptions & { status?: number; statusText?: string; headers?: RequestHeaders },
): Response;
