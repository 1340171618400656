import type {
  AnnotatedLlmResponse,
  Api,
  Delta,
  ProcessOptions,
  StreamAccumulatorOptions,
  StreamResult,
  ToolCall,
} from "../../pkg/wasm/respool.js";

export { extractToolCalls } from "./text.js";
export type { ReasoningTags, TextFormat, TextToolCalls } from "./text.js";

export type {
  AnnotatedLlmResponse,
  Api,
  ApiSpecific,
  Choice,
  ChoiceDetails,
  ContentPart,
  Delta,
  Ending,
  Extraction,
  Failure,
  FailureCode,
  FinishReason,
  Limits,
  LoopDetectorOptions,
  MessageContent,
  ProcessOptions,
  RejectReason,
  RejectedToolCall,
  ResponseToolCall,
  SseEvent,
  StreamAccumulatorOptions,
  StreamResult,
  ToolCall,
  ToolCallStatus,
  Usage,
  Warning,
  WarningCode,
} from "../../pkg/wasm/respool.js";

export { LoopDetector } from "./loop_detector.js";
export * from "./codecs.js";
export * from "./converter.js";
export * from "./errors.js";
export * from "./outputs.js";
export * from "./partial_json.js";
export * from "./runner.js";
export * from "./sse_decoder.js";
export * from "./streams.js";
export * from "./tracing.js";

/** What is known about the request that an answer belongs to. It breaks a tie between shapes, no more. */
export interface Agent {
  /** The model that was asked. */
  model?: {
    /** The model that was asked for: traces tell it. */
    id?: string;
    /** For example `"openai"` or `"anthropic"`. */
    provider?: string;
    /** `"chat"`, `"responses"`, `"embedding"` or `"image"`. */
    apiType?: string;
  };
  /** Anything that is not empty says that the text is expected to be JSON. */
  outputs?: unknown;
}

/** Bytes, in any of the forms in which JavaScript has them. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** JSON that was parsed from a text, with the text beside it under {@link RAW_JSON}. */
export type StructuredResult =
  | ({ readonly [RAW_JSON]?: string } & (Record<string, unknown> | unknown[]))
  | string
  | number
  | boolean
  | null;

/** What {@link process} gives. */
export type ProcessResult =
  | string
  | ToolCall[]
  | StructuredResult
  | number[]
  | number[][]
  | Float32Array
  | Float32Array[]
  | Float64Array
  | Float64Array[]
  | string[];

/** Under this symbol a structured result (an object or array) keeps the JSON text that it was parsed from. */
export const RAW_JSON: unique symbol;

/**
 * The one value that an answer is about: its tool calls, else its text, else the refusal; of an embeddings
 * answer its vectors, of an images answer its images (one by itself, several as a list).
 *
 * With `agent.outputs`, text that is JSON comes back parsed.
 *
 * @param agent - what is known about the request; `{}` if nothing is
 * @param response - the parsed body, its JSON text, or its bytes
 * @throws {@link ProviderError} if the provider reported an error instead of an answer
 * @throws {@link DecodeError} `unknown-response`, `invalid-json`, `empty-response`
 * @throws {@link LimitError} `limit-exceeded`
 *
 * @example
 * ```ts
 * import { process } from "respool";
 *
 * const body = { choices: [{ message: { content: "Hello" }, finish_reason: "stop" }] };
 * console.log(process({}, body)); // → Hello
 * ```
 */
export function process(agent: Agent, response: unknown, options?: ProcessOptions): ProcessResult;

/** Options of {@link processAsync}. */
export interface ProcessAsyncOptions extends ProcessOptions {
  /** Ends the reading from outside: the promise rejects with the signal's reason, and the source is closed. */
  signal?: AbortSignal;
}

/**
 * The same for an answer that is still on its way, whole or streamed: a fetch `Response`, a `ReadableStream`, an async
 * or sync iterable of chunk objects, strings or bytes; also what {@link process} takes, and a promise of any of them.
 * Whether it is a body or a stream is seen from how it begins. What a stream comes to is what `process` gives for the
 * whole answer.
 *
 * @throws {@link ProviderError}, {@link DecodeError} and {@link LimitError} as {@link process}
 * @throws {@link StreamError} `stream-broken`, `stream-truncated`, `http-error`, `provider-error`, `limit-exceeded`; what
 * had come of the stream is in its `partial`
 * @throws {@link RespoolError} `invalid-option`, `invalid-chunk`
 *
 * @example
 * ```ts
 * import { processAsync } from "respool";
 *
 * const response = fetch("https://api.openai.com/v1/chat/completions", { method: "POST" });
 * console.log(await processAsync({}, response)); // → The ferry leaves at 9:35.
 * ```
 */
export function processAsync(agent: Agent, source: unknown, options?: ProcessAsyncOptions): Promise<ProcessResult>;

/**
 * A chat, Responses or Anthropic answer in one form. Nothing of the body is lost: what has no field of its
 * own is in `apiSpecific` and `extra`.
 *
 * @param response - the parsed body, its JSON text, or its bytes
 * @throws {@link ProviderError} for an error body
 * @throws {@link DecodeError} `unknown-response`, `invalid-json`
 *
 * @example
 * ```ts
 * import { decode } from "respool";
 *
 * const { message, finishReason } = decode({
 *   type: "message",
 *   content: [{ type: "text", text: "Hello" }],
 *   stop_reason: "end_turn",
 * });
 * console.log(message, finishReason); // → Hello complete
 * ```
 */
export function decode(response: unknown): AnnotatedLlmResponse;

/**
 * The interface that a body comes from: exactly one matches, or `undefined`. Never throws, never guesses. A
 * registered codec answers its name.
 *
 * @param response - the parsed body, its JSON text, or its bytes
 *
 * @example
 * ```ts
 * import { detectApi } from "respool";
 *
 * console.log(detectApi({ choices: [{ message: { content: "Hello" } }] })); // → openai-chat
 * console.log(detectApi('{"type":"message","content":[]}')); // → anthropic-messages
 * console.log(detectApi({ hello: "world" })); // → undefined
 * ```
 */
export function detectApi(response: unknown): Api | (string & {}) | undefined;

/**
 * Whether the model wants tools to be run.
 *
 * @example
 * ```ts
 * import { decode, hasToolCalls } from "respool";
 *
 * const call = { id: "call_1", function: { name: "tide", arguments: '{"port":"Bodø"}' } };
 * const response = decode({ choices: [{ message: { content: null, tool_calls: [call] } }] });
 * console.log(hasToolCalls(response), response.toolCalls?.[0]?.arguments); // → true { port: 'Bodø' }
 * ```
 */
export function hasToolCalls(response: AnnotatedLlmResponse): boolean;

/**
 * What the model said: the string, or the first text part. `undefined` where it said nothing.
 *
 * @example
 * ```ts
 * import { decode, responseText } from "respool";
 *
 * const content = [
 *   { type: "thinking", thinking: "Summer, then." },
 *   { type: "text", text: "At 9:35." },
 * ];
 * const response = decode({ type: "message", content, stop_reason: "end_turn" });
 * console.log(Array.isArray(response.message), responseText(response)); // → true At 9:35.
 * ```
 */
export function responseText(response: AnnotatedLlmResponse): string | undefined;

/**
 * Whether the answer is whole: its finish reason is `complete` and nothing else.
 *
 * @example
 * ```ts
 * import { decode, isComplete } from "respool";
 *
 * for (const finish_reason of ["stop", "length"]) {
 *   console.log(isComplete(decode({ choices: [{ message: { content: "At 9" }, finish_reason }] })));
 * }
 * // → true
 * // → false
 * ```
 */
export function isComplete(response: AnnotatedLlmResponse): boolean;

/**
 * Winds a stream of any supported provider back into one result. Nothing that a provider sends makes it
 * throw: broken events become warnings, errors become deltas, and everything else survives.
 *
 * @example
 * ```ts
 * import { StreamAccumulator } from "respool";
 *
 * const stream = new StreamAccumulator();
 * stream.push({ choices: [{ delta: { content: "Hel" } }] }); // [{ type: "text", text: "Hel" }]
 * stream.push({ choices: [{ delta: { content: "lo" }, finish_reason: "stop" }] });
 * const { text, ending } = stream.finish();
 * console.log(text, ending); // → Hello complete
 * stream.free();
 * ```
 */
export class StreamAccumulator {
  /** @throws {@link RespoolError} `invalid-option` */
  constructor(options?: StreamAccumulatorOptions);
  /**
   * Reads one parsed chunk or event, and gives what it added.
   * @throws {@link RespoolError} `invalid-chunk` for anything but an object, `stream-finished` after the end
   */
  push(chunk: object): Delta[];
  /**
   * Reads bytes of server-sent events or JSON lines, cut anywhere, and gives what they added.
   * @throws {@link RespoolError} `invalid-chunk` for anything but bytes, `stream-finished` after the end
   */
  pushBytes(bytes: Bytes): Delta[];
  /** The input is over. Deltas that this brought are given by {@link takeDeltas}. */
  finish(): StreamResult;
  /** The stream was ended from outside; what arrived is kept. The reason becomes `error.message`. */
  abort(reason?: unknown): StreamResult;
  /**
   * What is known so far, with ending `"open"`. Asking after each delta costs linear work in all: long texts are handed
   * over once, in pieces. The parsed arguments of calls that are whole (`response.toolCalls`) are the same object in
   * each snapshot; do not change them.
   */
  snapshot(): StreamResult;
  /** The deltas that {@link finish} brought: those of an event whose last line end was missing. */
  takeDeltas(): Delta[];
  /** Gives the memory back at once. Calling it again does nothing. */
  free(): void;
  /** The same as {@link free}, for `using`. */
  [Symbol.dispose](): void;
}
