import type { AnnotatedLlmResponse, Failure, RequestDelta, RequestHeaders, StreamSource, StreamSourceOptions } from "respool";

/** A major version of the AI SDK. Version 5 means 5.0.92 or newer. */
export type UIVersion = 5 | 6 | 7;

/** A chunk of the AI SDK's UI message stream. All versions read the chunks of version 5. */
export type UIMessageChunk<Version extends UIVersion = 5> =
  /** The message starts. */
  | {
      type: "start";
      /** The message's id, if the server stores messages. */
      messageId?: string;
    }
  /** A step of the message, which is one answer of the model, starts or finishes. */
  | { type: "start-step" | "finish-step" }
  /** A text or reasoning part starts or ends. */
  | {
      type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end";
      /** The part's id. */
      id: string;
    }
  /** More text of a part. */
  | {
      type: "text-delta" | "reasoning-delta";
      /** The part's id. */
      id: string;
      /** The text to append. */
      delta: string;
    }
  /** A tool call starts. */
  | {
      type: "tool-input-start";
      /** The call's id. */
      toolCallId: string;
      /** The tool's name. */
      toolName: string;
      /** Whether the page has no type for this tool. */
      dynamic?: boolean;
    }
  /** More of a tool call's arguments. */
  | {
      type: "tool-input-delta";
      /** The call's id. */
      toolCallId: string;
      /** The JSON text to append. */
      inputTextDelta: string;
    }
  /** A tool call's arguments are complete. */
  | {
      type: "tool-input-available";
      /** The call's id. */
      toolCallId: string;
      /** The tool's name. */
      toolName: string;
      /** The parsed arguments. */
      input: unknown;
      /** Whether the provider ran the tool. */
      providerExecuted?: boolean;
      /** Whether the page has no type for this tool. */
      dynamic?: boolean;
    }
  /** A tool call's arguments are incomplete or invalid. */
  | {
      type: "tool-input-error";
      /** The call's id. */
      toolCallId: string;
      /** The tool's name. */
      toolName: string;
      /** The arguments received, as text. */
      input: unknown;
      /** Why the arguments can't be used. */
      errorText: string;
      /** Whether the page has no type for this tool. */
      dynamic?: boolean;
    }
  /** A call that the provider runs once the user has approved it. */
  | (Version extends 6 | 7
      ? {
          type: "tool-approval-request";
          /** The id of the request, which the answer refers to. */
          approvalId: string;
          /** The call's id. */
          toolCallId: string;
        }
      : never)
  /** The result of a tool that the provider or `runRequest` has run. */
  | {
      type: "tool-output-available";
      /** The call's id. */
      toolCallId: string;
      /** The result. */
      output: unknown;
      /** Whether the provider ran the tool. */
      providerExecuted?: boolean;
      /** Whether the page has no type for this tool. */
      dynamic?: boolean;
    }
  /** A tool that `runRequest` has run failed, its call was invalid, or the answer with the call broke off. */
  | {
      type: "tool-output-error";
      /** The call's id. */
      toolCallId: string;
      /** The error text for the page. */
      errorText: string;
      /** Whether the provider runs the tool. */
      providerExecuted?: boolean;
      /** Whether the page has no type for this tool. */
      dynamic?: boolean;
    }
  /** A cited web page. */
  | {
      type: "source-url";
      /** The source's id. */
      sourceId: string;
      /** The page's URL. */
      url: string;
      /** The page's title. */
      title?: string;
    }
  /** A cited document. */
  | {
      type: "source-document";
      /** The source's id. */
      sourceId: string;
      /** The media type, for example `"application/pdf"`. */
      mediaType: string;
      /** The document's title. */
      title: string;
      /** The file's name. */
      filename?: string;
    }
  /** An image or audio file. */
  | {
      type: "file";
      /** The file's URL, which may be a `data:` URL. */
      url: string;
      /** The media type, for example `"image/png"`. */
      mediaType: string;
    }
  /** An image in the reasoning. */
  | (Version extends 7
      ? {
          type: "reasoning-file";
          /** The file's URL, which may be a `data:` URL. */
          url: string;
          /** The media type, for example `"image/png"`. */
          mediaType: string;
        }
      : never)
  /** The answer failed. */
  | {
      type: "error";
      /** The error text for the page. */
      errorText: string;
    }
  /** The signal aborted the message. */
  | { type: "abort" }
  /** The message is complete. */
  | {
      type: "finish";
      /** Why the last step ended. */
      finishReason?: UIFinishReason;
      /** The result of `messageMetadata`. */
      messageMetadata?: unknown;
    };

/** A finish reason of the AI SDK. */
export type UIFinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";

/** The tokens of all steps together, under the AI SDK's names. A count is missing if any of the answers lacks it. */
export interface UIUsage {
  /** Tokens in the prompts, cached ones included. */
  inputTokens?: number;
  /** Tokens in the answers, reasoning included. */
  outputTokens?: number;
  /** The sum of input and output; the provider's own figure where it doesn't report both. */
  totalTokens?: number;
  /** Output tokens used for reasoning. */
  reasoningTokens?: number;
  /** Input tokens that were read from a cache. */
  cachedInputTokens?: number;
}

/** The input: a request of `runRequest`, deltas, or anything that `streamDeltas` reads. */
export type UIMessageSource = StreamSource | AsyncIterable<RequestDelta> | Iterable<RequestDelta> | ReadableStream<RequestDelta>;

/** Options of {@link toUIMessageStream}. Those of `streamDeltas` apply if the input isn't deltas already. */
export interface UIMessageStreamOptions<Version extends UIVersion = UIVersion> extends StreamSourceOptions {
  /**
   * Whether an error that the stream reports ends the message. Default `false`: the page gets an `error` chunk and what
   * follows.
   */
  throwOnError?: boolean;
  /**
   * The tools that the page has no type for: all of them, or those for which the function returns `true`. Their calls
   * become dynamic parts. Default: only the provider's own tools.
   */
  dynamicTools?: boolean | ((name: string) => boolean);
  /** The message's id. Default: the page generates one. */
  messageId?: string;
  /**
   * Returns the finished message's metadata. Default: `{ usage }`, if a provider reported the usage. `responses` has
   * one response per step, with the signatures and the encrypted reasoning that chunks don't contain. It is empty if
   * the input is deltas that were read elsewhere.
   */
  messageMetadata?: (end: { finishReason?: UIFinishReason; usage?: UIUsage; responses: AnnotatedLlmResponse[] }) => unknown;
  /** Returns the error text for the page. Default: "An error occurred.", because error messages may reveal too much. */
  onError?: (error: Failure | Error | unknown) => string;
  /**
   * Deltas to convert before those of the input, such as the ones that a reconnecting client missed. Each part of the
   * message becomes one start and one delta.
   */
  resume?: Iterable<RequestDelta>;
  /** Whether to send the reasoning. Default `true`. */
  sendReasoning?: boolean;
  /** Whether to send the cited sources. Default `true`. */
  sendSources?: boolean;
  /**
   * The version of the AI SDK that the page uses. Pages with version 6 or later get approval requests, and with version
   * 7 also reasoning files; earlier versions would reject them. Default 5, whose chunks all later versions read.
   */
  version?: Version;
}

/**
 * Converts an answer into a stream of chunks for the AI SDK's `useChat` and `readUIMessageStream`. The stream never fails: an
 * error becomes an `error` chunk, and an aborted signal an `abort` chunk. Cancelling the stream closes the source.
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
export declare function toUIMessageStream<Version extends UIVersion = 5>(
  input: UIMessageSource,
  options?: UIMessageStreamOptions<Version>,
): ReadableStream<UIMessageChunk<Version>>;

/**
 * Returns {@link toUIMessageStream} as an HTTP response: server-sent events, with the headers that the AI SDK expects.
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
