import type { Api, ContentPart, FinishReason, ToolCall, ToolCallStatus, Usage, Warning } from "../../pkg/wasm/respool.js";
import type { Bytes, StreamPiece, StreamSourceOptions } from "./api.js";

/** Text of an answer, with its annotations. */
export type TextBlock = Extract<ContentPart, { type: "text" }>;

/** What the model thought before. */
export type ReasoningBlock = Extract<ContentPart, { type: "reasoning" }>;

/** A tool that is to be run. */
export interface ToolCallBlock {
  /** Always `"tool_call"`. */
  type: "tool_call";
  /** The call's id: the provider's, or one made up. */
  id: string;
  /** The tool's name. */
  name: string;
  /** The arguments parsed; the text where it is no whole JSON. */
  arguments: unknown;
  /** Why the arguments are text. Missing where they are whole. */
  status?: Exclude<ToolCallStatus, "complete">;
}

/** A part of a message. */
export type ContentBlock = ContentPart | ToolCallBlock;

/** What is known of a message besides what it says. The members of the caller's `meta` are here, too. */
export interface MessageMetadata {
  /** The interface that the answer is of; before the end only if the converter is for one. */
  provider?: Api | (string & {});
  /** The `nodeName` that the stream was asked for with. */
  nodeName?: string;
  /** The thread of the {@link ConverterConfig}. */
  threadId?: string;
  /** The provider's id of the answer. */
  id?: string;
  /** The model that answered. */
  model?: string;
  /** The provider's word for what the answer is, for example `"chat.completion"`. */
  object?: string;
  /** Why the model stopped, in common words. */
  finishReason?: FinishReason;
  /** The provider's own word. */
  rawFinishReason?: string;
  /** `"complete"`, or `"truncated"` where the input was over before the provider said so. */
  ending?: "complete" | "truncated";
  /** What was wrong with the input, if anything. */
  warnings?: Warning[];
  [name: string]: unknown;
}

/** An answer, or a piece of one, in the same form for all providers. */
export interface Message {
  /** Made up; the same for all messages of an answer. */
  messageId: string;
  /** Who speaks: always the model. */
  role: "assistant";
  /** What is said, in its order. */
  content: ContentBlock[];
  /** Whether this is a piece of an answer; the one message for which it is false has all of it. */
  delta: boolean;
  /** The calls as text, to be run. */
  toolCalls: ToolCall[];
  /** What the model thought, as text. */
  reasoning: string;
  /** What the answer cost, where the provider told it. */
  usage?: Usage;
  /** When it was made, in milliseconds since 1970. */
  timestamp: number;
  /** What is known besides. */
  metadata: MessageMetadata;
  /** The body that it is of, where that was an object. */
  raw?: unknown;
}

/** What a stream is converted for. Other members are for converters of your own. */
export interface ConverterConfig {
  /** The conversation that the messages belong to: it becomes `metadata.threadId`. */
  threadId?: string;
  /** The same under another name; `threadId` goes before it. */
  thread_id?: string;
  [name: string]: unknown;
}

/** Makes messages of what a provider sends. */
export interface Converter<Response = unknown> {
  /** The message that a whole answer comes to. */
  convertResponse(response: Response): Promise<Message>;
  /** The pieces of an answer, each with `delta: true`, and at the end all of it, with `delta: false`. */
  convertStreamingResponse(
    config: ConverterConfig,
    nodeName: string | undefined,
    response: Response,
    meta?: Record<string, unknown>,
  ): AsyncIterable<Message>;
}

/** What the built-in converter reads: a body (parsed, text or bytes), a fetch `Response`, a stream, or a promise of one. */
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
export type ConverterName = Api | "auto" | "litellm" | (string & {});

/**
 * The built-in converter. Extend it to add to what it gives.
 *
 * A stream gives a message for each piece of text, of reasoning or of a refusal, for each whole tool call, and for each
 * image, audio and tool of the server's; then one with everything. That last one is not given if the stream breaks, if
 * the provider reports an error, or if it is over in the middle of a tool call: these throw. Of several choices the first
 * one counts.
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
   * A stream is read to its end.
   * @throws {@link ProviderError}, {@link DecodeError}, {@link StreamError}
   */
  convertResponse(response: ConvertibleResponse): Promise<Message>;
  /** @throws {@link StreamError}, and the reason of `options.signal` */
  convertStreamingResponse(
    config: ConverterConfig,
    nodeName: string | undefined,
    response: ConvertibleResponse,
    meta?: Record<string, unknown>,
  ): AsyncGenerator<Message, void, undefined>;
}

/**
 * A response, or the function that asks for it, and what converts it. A function is called once for each `invoke` and
 * each `stream` that is read.
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
  constructor(response: Source | (() => Source | PromiseLike<Source>), converter: Converter<Awaited<Source>> | ConverterName);
  /** The whole answer. */
  invoke(): Promise<Message>;
  /** Its pieces, then all of it. */
  stream(config?: ConverterConfig, nodeName?: string, meta?: Record<string, unknown>): AsyncGenerator<Message, void, undefined>;
}
