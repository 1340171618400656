import type {
  Api,
  ContentPart,
  Failure,
  FinishReason,
  ToolCall,
  ToolCallStatus,
  Usage,
  Warning,
} from "../../pkg/wasm/respool.js";
import type { ApiName } from "./codecs.js";
import type { Bytes, StreamPiece, StreamSourceOptions } from "./api.js";

/** Text of an answer, with its annotations. */
export type TextBlock = Extract<ContentPart, { type: "text" }>;

/** The reasoning of the model. */
export type ReasoningBlock = Extract<ContentPart, { type: "reasoning" }>;

/** A tool call. */
export interface ToolCallBlock {
  /** Always `"tool_call"`. */
  type: "tool_call";
  /** The call's id: the provider's, or a generated one. */
  id: string;
  /** The tool's name. */
  name: string;
  /** The parsed arguments, or their text if it isn't valid, complete JSON. */
  arguments: unknown;
  /** Why the arguments are text. Absent if they are parsed. */
  status?: Exclude<ToolCallStatus, "complete">;
  /**
   * The provider's signature of the call, only in the message with the whole answer. Send call and signature back
   * unchanged.
   */
  signature?: string;
}

/** A part of a message. */
export type ContentBlock = ContentPart | ToolCallBlock;

/** The metadata of a message, with the members of the caller's `meta`. */
export interface MessageMetadata {
  /** The interface of the answer. Partial messages have it only if the converter is for one interface. */
  provider?: Api | (string & {});
  /** The `nodeName` that was passed for the stream. */
  nodeName?: string;
  /** The thread of the {@link ConverterConfig}. */
  threadId?: string;
  /** The provider's id of the answer. */
  id?: string;
  /** The model that answered. */
  model?: string;
  /** The provider's type of the answer, for example `"chat.completion"`. */
  object?: string;
  /** Why the model stopped. */
  finishReason?: FinishReason;
  /** Why the model stopped, in the provider's own word. */
  rawFinishReason?: string;
  /** `"complete"`, `"truncated"` if the input ended before the answer did, or, with `throwOnError: false`, `"failed"`. */
  ending?: "complete" | "truncated" | "failed";
  /** Why the answer failed, with `throwOnError: false`. */
  error?: Failure;
  /** Problems with the input, if any. */
  warnings?: Warning[];
  [name: string]: unknown;
}

/** An answer, or a piece of one, in the same form for every provider. */
export interface Message {
  /** A generated id that all messages of an answer share. */
  messageId: string;
  /** Always the model. */
  role: "assistant";
  /** The parts of the message in their order. */
  content: ContentBlock[];
  /** Whether this is a piece of an answer. It is false for the one message with the whole answer. */
  delta: boolean;
  /** The calls with their arguments as text. */
  toolCalls: ToolCall[];
  /** The reasoning as text. */
  reasoning: string;
  /** The usage, if the provider reported it. */
  usage?: Usage;
  /** When the message was created, in milliseconds since 1970. */
  timestamp: number;
  /** Everything else. */
  metadata: MessageMetadata;
  /** The body, if it was an object. */
  raw?: unknown;
}

/** The context of a stream. Other members are for custom converters. */
export interface ConverterConfig {
  /** The conversation that the messages belong to: it becomes `metadata.threadId`. */
  threadId?: string;
  /** Another name for `threadId`, which takes precedence. */
  thread_id?: string;
  [name: string]: unknown;
}

/** Converts the responses of a provider to messages. */
export interface Converter<Response = unknown> {
  /** Converts a complete answer. */
  convertResponse(response: Response): Promise<Message>;
  /** Yields the pieces of an answer with `delta: true`, then the whole answer with `delta: false`. */
  convertStreamingResponse(
    config: ConverterConfig,
    nodeName: string | undefined,
    response: Response,
    meta?: Record<string, unknown>,
  ): AsyncIterable<Message>;
}

/** The input of the built-in converter: a body (parsed, text or bytes), a fetch `Response`, a stream, or a promise of one. */
export type ConvertibleResponse =
  | object
  | string
  | Bytes
  | Response
  | ReadableStream<StreamPiece>
  | AsyncIterable<StreamPiece>
  | Iterable<StreamPiece>
  | PromiseLike<unknown>;

/** The built-in converters: one interface, the name of a registered codec, or `"auto"`; `"litellm"` is `"openai-chat"`. */
export type ConverterName = Exclude<ApiName, "openai-embeddings" | "openai-images"> | "auto" | "litellm";

/**
 * The built-in converter. Extend it to customise its messages.
 *
 * A stream yields a message for each piece of text, reasoning or refusal, for each complete tool call, and for each image,
 * audio and server tool; then one with the whole answer. It throws instead if the stream breaks, the provider reports an
 * error, or the stream ends in the middle of a tool call. Only the first choice is converted.
 *
 * @example
 * ```ts
 * import { ResponseConverter, type Message } from "respool";
 *
 * class TimedConverter extends ResponseConverter {
 *   async convertResponse(response: object): Promise<Message> {
 *     const message = await super.convertResponse(response);
 *     return { ...message, metadata: { ...message.metadata, tier: "fast" } };
 *   }
 * }
 * const { metadata } = await new TimedConverter().convertResponse({ choices: [{ message: { content: "Hi" } }] });
 * console.log(metadata.provider, metadata.tier); // → openai-chat fast
 * ```
 */
export declare class ResponseConverter implements Converter<ConvertibleResponse> {
  /** @throws {@link RespoolError} `invalid-option`: "Unsupported converter: …" */
  constructor(api?: ConverterName, options?: Omit<StreamSourceOptions, "api">);
  /**
   * Converts a complete answer. A stream is read to its end.
   * @throws {@link ProviderError}, {@link DecodeError}, {@link StreamError}
   */
  convertResponse(response: ConvertibleResponse): Promise<Message>;
  /** @throws {@link ProviderError}, {@link DecodeError}, {@link StreamError}, and the reason of `options.signal` */
  convertStreamingResponse(
    config: ConverterConfig,
    nodeName: string | undefined,
    response: ConvertibleResponse,
    meta?: Record<string, unknown>,
  ): AsyncGenerator<Message, void, undefined>;
}

/**
 * Combines a response, or a function that requests it, with a converter. The function is called once for each `invoke`
 * and each `stream` that is read.
 *
 * @example
 * ```ts
 * import { ModelResponseConverter } from "respool";
 *
 * const answer = new ModelResponseConverter(
 *   async () => ({ choices: [{ message: { content: "At 9:35." }, finish_reason: "stop" }] }),
 *   "auto",
 * );
 * const { content, metadata } = await answer.invoke();
 * console.log(content, metadata.finishReason); // → [ { type: 'text', text: 'At 9:35.' } ] complete
 * ```
 */
export declare class ModelResponseConverter<Source = ConvertibleResponse> {
  /** @throws {@link RespoolError} `invalid-option`: "Unsupported converter: …" */
  constructor(
    response: Source | PromiseLike<Source> | (() => Source | PromiseLike<Source>),
    converter: Converter<Awaited<Source>> | ConverterName,
  );
  /** Returns the whole answer. */
  invoke(): Promise<Message>;
  /** Yields the pieces of the answer, then the whole answer. */
  stream(config?: ConverterConfig, nodeName?: string, meta?: Record<string, unknown>): AsyncGenerator<Message, void, undefined>;
}
