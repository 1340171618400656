import type { FinishReason, RequestDelta, RequestHeaders, StreamResult, StreamSource, StreamSourceOptions } from "respool";

/** An event of AG-UI 1.0, as `toAgUiEvents` yields it. */
export type AgUiEvent =
  /** The run starts. */
  | {
      type: "RUN_STARTED";
      /** The conversation's id. */
      threadId: string;
      /** The run's id. */
      runId: string;
      /** The id of the run that started this one. */
      parentRunId?: string;
      /** The version of AG-UI: `"1.0"`. */
      protocolVersion: string;
    }
  /** The run is over and hasn't failed. */
  | {
      type: "RUN_FINISHED";
      /** The conversation's id. */
      threadId: string;
      /** The run's id. */
      runId: string;
      /** Whether the run completed, with the calls left for the client, or was cancelled. */
      outcome: AgUiOutcome;
      /** The tokens of the run. */
      usage?: AgUiUsage[];
      /** Why the model stopped. */
      metadata?: {
        /** Why the model stopped, normalised. */
        finishReason?: FinishReason;
        /** Why the model stopped, as the provider spells it. */
        rawFinishReason?: string;
      };
    }
  /** The run has failed, or the answer was refused or broke off. */
  | {
      type: "RUN_ERROR";
      /** The error text for the client: the result of `onError`. */
      message: string;
      /** The stable code. */
      code?: string;
      /** The tokens of the run until then. */
      usage?: AgUiUsage[];
    }
  /** A turn of `runRequest` starts or finishes. */
  | {
      type: "STEP_STARTED" | "STEP_FINISHED";
      /** The step's name: `step-0` for the first turn. */
      stepName: string;
    }
  /** A text message starts. */
  | {
      type: "TEXT_MESSAGE_START";
      /** The message's id. */
      messageId: string;
      /** Always the assistant. */
      role: "assistant";
      /** Present if the text is a refusal. */
      metadata?: {
        /** Always `true`. */
        refusal: boolean;
      };
    }
  /** More text of a message, or more reasoning. */
  | {
      type: "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT";
      /** The message's id. */
      messageId: string;
      /** The text to append. */
      delta: string;
    }
  /** A text message ends, or reasoning starts or ends. */
  | {
      type: "TEXT_MESSAGE_END" | "REASONING_START" | "REASONING_MESSAGE_END" | "REASONING_END";
      /** The message's id. */
      messageId: string;
    }
  /** A reasoning message starts. */
  | {
      type: "REASONING_MESSAGE_START";
      /** The message's id. */
      messageId: string;
      /** Always reasoning. */
      role: "reasoning";
    }
  /** A signature or encrypted reasoning, to be sent back to the provider. */
  | {
      type: "REASONING_ENCRYPTED_VALUE";
      /** Whether `entityId` names a message or a tool call. */
      subtype: "message" | "tool-call";
      /** The id of the message or the call. */
      entityId: string;
      /** The value, as the provider sent it. */
      encryptedValue: string;
    }
  /** A tool call starts. */
  | {
      type: "TOOL_CALL_START";
      /** The call's id: the provider's, made unique in the run. */
      toolCallId: string;
      /** The tool's name. */
      toolCallName: string;
      /** The id of the assistant message that contains the call. */
      parentMessageId?: string;
    }
  /** More of a tool call's arguments. */
  | {
      type: "TOOL_CALL_ARGS";
      /** The call's id. */
      toolCallId: string;
      /** The JSON text to append. */
      delta: string;
    }
  /** A tool call ends. */
  | {
      type: "TOOL_CALL_END";
      /** The call's id. */
      toolCallId: string;
      /** Present if the arguments can't be used. */
      metadata?: {
        /** What is wrong with the arguments. */
        status: "truncated" | "invalid";
      };
    }
  /** The result of a tool that `runRequest` has run, or the reason why a call can't be run. */
  | {
      type: "TOOL_CALL_RESULT";
      /** The id of the tool message. */
      messageId: string;
      /** The call's id. */
      toolCallId: string;
      /** Text, JSON as text, or parts. */
      content: AgUiContent;
      /** Always a tool. */
      role: "tool";
      /** Present if the result is an error. */
      metadata?: {
        /** Always `true`. */
        isError: boolean;
      };
    }
  /** A tool that the provider runs itself. Each snapshot replaces the one before. */
  | {
      type: "ACTIVITY_SNAPSHOT";
      /** The id of the activity. */
      messageId: string;
      /** Always a tool of the provider. */
      activityType: "server-tool";
      /** The tool's `id` and `name`, and its `call`, `result` and `status` as the provider sent them. */
      content: Record<string, unknown>;
    }
  /** An image, audio or a citation. */
  | {
      type: "CUSTOM";
      /** `respool.image`, `respool.audio` or `respool.annotation`. */
      name: string;
      /**
       * An image's `url` and `mediaType`, a piece of audio (`base64`, and its `id` if known), or the provider's
       * annotation.
       */
      value: unknown;
    };

/** The outcome of an AG-UI run that hasn't failed. */
export type AgUiOutcome =
  /** The run completed. */
  | {
      type: "success";
      /** The ids of the calls without a result, which the client answers in the next run. */
      pendingToolCallIds?: string[];
    }
  /** The signal aborted the run, or the request was cancelled. */
  | { type: "cancelled" };

/** The content of a tool's result: text, or parts if it has images or audio. */
export type AgUiContent = string | AgUiContentPart[];

/** A part of a tool's result. */
export type AgUiContentPart =
  /** Text. */
  | {
      type: "text";
      /** The text. */
      text: string;
    }
  /** An image or audio. */
  | {
      type: "image" | "audio";
      /** The bytes. */
      source: {
        /** Always inline. */
        type: "data";
        /** The bytes in base64. */
        value: string;
        /** The media type, for example `"image/png"`. */
        mimeType: string;
      };
    };

/** The tokens of a run in AG-UI's accounting. A count is missing if any of the answers lacks it. */
export interface AgUiUsage {
  /** The model, if all answers came from the same. */
  model?: string;
  /** All input tokens, including cached ones. */
  inputTokens?: number;
  /** All output tokens, including reasoning. */
  outputTokens?: number;
  /** The sum of input and output; the provider's own figure where it doesn't report both. */
  totalTokens?: number;
  /** Output tokens used for reasoning. */
  reasoningTokens?: number;
  /** Input tokens that were read from a cache. */
  cachedInputTokens?: number;
  /** Input tokens that were written to a cache. */
  cacheWriteInputTokens?: number;
}

/** The input: a request of `runRequest`, deltas, or anything that `streamDeltas` reads. */
export type AgUiSource = StreamSource | AsyncIterable<RequestDelta> | Iterable<RequestDelta> | ReadableStream<RequestDelta>;

/** Options of {@link toAgUiEvents}. Those of `streamDeltas` apply if the input isn't deltas already. */
export interface AgUiOptions extends StreamSourceOptions {
  /** The conversation's id, which the client sent. */
  threadId: string;
  /** The run's id, which the client sent. The ids of the messages begin with it. */
  runId: string;
  /** The id of the run that started this one. */
  parentRunId?: string;
  /** Returns the error text for the client. Default: a general text, because error messages may reveal too much. */
  onError?: (error: unknown) => string;
  /**
   * Deltas to convert before those of the input, such as the ones that a reconnecting client missed. Each part of the
   * message becomes one start and one delta, with the same ids as before.
   */
  resume?: Iterable<RequestDelta>;
  /**
   * Returns the result of the whole answer, if the input is the deltas of a `StreamAccumulator`. Called at the end, for
   * the ending and for data that deltas don't contain. Default: the result of the input, if it has one.
   */
  result?: () => StreamResult | undefined;
  /** Whether to send the reasoning, with its images and encrypted values. Default `true`. */
  sendReasoning?: boolean;
}

/**
 * Converts an answer into the events of one AG-UI run. The iteration never fails: an error becomes `RUN_ERROR`, and an
 * aborted signal becomes the outcome `cancelled` of `RUN_FINISHED`. Leaving the loop closes the source.
 *
 * @throws `RespoolError` `invalid-option` at the call
 *
 * @example
 * ```ts
 * import { streamDeltas } from "respool";
 * import { toAgUiEvents } from "respool/ag-ui";
 *
 * const deltas = streamDeltas([{ choices: [{ delta: { content: "Hi" }, finish_reason: "stop" }] }]);
 * for await (const event of toAgUiEvents(deltas, { threadId: "thread-1", runId: "run-1" })) console.log(event.type);
 * // → RUN_STARTED
 * // → TEXT_MESSAGE_START
 * // → TEXT_MESSAGE_CONTENT
 * // → TEXT_MESSAGE_END
 * // → RUN_FINISHED
 * ```
 */
export declare function toAgUiEvents(source: AgUiSource, options: AgUiOptions): AsyncGenerator<AgUiEvent, void, undefined>;

/**
 * Returns {@link toAgUiEvents} as an HTTP response: server-sent events for AG-UI's `HttpAgent`. A client that disconnects
 * closes the source.
 *
 * @throws `RespoolError` `invalid-option`
 *
 * @example
 * ```ts
 * import { toAgUiResponse } from "respool/ag-ui";
 *
 * const answer = await fetch("https://api.openai.com/v1/chat/completions", { method: "POST" });
 * const response = toAgUiResponse(answer, { threadId: "thread-1", runId: "run-1" });
 * console.log(response.headers.get("content-type")); // → text/event-stream
 * ```
 */
export declare function toAgUiResponse(
  source: AgUiSource,
  options: AgUiOptions & { status?: number; statusText?: string; headers?: RequestHeaders },
): Response;
