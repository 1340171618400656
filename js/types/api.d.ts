import type {
  AnnotatedLlmResponse,
  Delta,
  ProcessOptions,
  StreamAccumulatorOptions,
  StreamResult,
  ToolCall,
} from "../../pkg/wasm/respool.js";
import type { ApiName } from "./codecs.js";

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
export type { JsonSchema, JsonSchemaKeywords, JsonSchemaObject, JsonSchemaType, JsonSchemaValue } from "./json_schema.js";
export * from "./outputs.js";
export * from "./partial_json.js";
export * from "./fetch_transport.js";
export * from "./runner.js";
export * from "./sse_decoder.js";
export * from "./streams.js";
export * from "./tool.js";
export * from "./tracing.js";

/** What you know about the request. `provider` and `apiType` are used if the shape of the answer is ambiguous. */
export interface Agent {
  /** The requested model. */
  model?: {
    /** The model's name, for traces. */
    id?: string;
    /** The provider, for example `"openai"` or `"anthropic"`. */
    provider?: string;
    /** The kind of interface: `"chat"`, `"responses"`, `"embedding"` or `"image"`. */
    apiType?: string;
  };
  /** The outputs that the agent declares. If there are any, the text is expected to be JSON. */
  outputs?: unknown;
}

/** Bytes in any form. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** Parsed JSON. Objects and arrays keep their JSON text under {@link RAW_JSON}. */
export type StructuredResult =
  | ({ readonly [RAW_JSON]?: string } & (Record<string, unknown> | unknown[]))
  | string
  | number
  | boolean
  | null;

/** The result of {@link process}. */
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

/** The symbol under which a structured result (an object or array) keeps the JSON text that it was parsed from. */
export const RAW_JSON: unique symbol;

/**
 * Returns the one value that matters in an answer: its tool calls, else its text, else the refusal. For embeddings it
 * returns the vectors, for images the images; a single one is returned without a list.
 *
 * With `agent.outputs`, text that is JSON is parsed.
 *
 * @param agent - what you know about the request, or `{}`
 * @param response - the parsed body, its JSON text, or its bytes; or a line of a batch result file
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

/**
 * {@link process} under a name that doesn't hide Node's global `process`.
 *
 * @example
 * ```ts
 * import { processResponse } from "respool";
 *
 * const body = { choices: [{ message: { content: "Hello" }, finish_reason: "stop" }] };
 * console.log(processResponse({}, body)); // → Hello
 * ```
 */
export function processResponse(agent: Agent, response: unknown, options?: ProcessOptions): ProcessResult;

/** Options of {@link processAsync}. */
export interface ProcessAsyncOptions extends ProcessOptions {
  /** Stops reading: the promise rejects with the signal's reason, and the source is closed. */
  signal?: AbortSignal;
}

/**
 * Like {@link process}, for pending responses, complete or streamed: a fetch `Response`, a `ReadableStream`, a `Blob`,
 * an async or sync iterable of chunk objects, strings or bytes, anything that `process` accepts, or a promise of any of
 * them. The first bytes decide whether the source is a body or a stream. A stream leads to the same value as the
 * complete answer.
 *
 * @throws {@link ProviderError}, {@link DecodeError} and {@link LimitError} as {@link process}
 * @throws {@link ProviderError} `http-error` for an HTTP status that isn't a success
 * @throws {@link StreamError} `stream-broken`, `stream-truncated`; `partial` has everything that was received
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
 * Converts the answer of any {@link Api} with messages into one common form. Nothing is lost: provider-specific fields are
 * kept in `apiSpecific` and `extra`. For a line of OpenAI's or Anthropic's batch result files, `extra` also has its
 * `custom_id`.
 *
 * @param response - the parsed body, its JSON text, or its bytes; or a line of a batch result file
 * @throws {@link ProviderError} for an error body, or a line without a response
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
 * Detects the interface that a body comes from; `undefined` if none matches, or if it is ambiguous. Never throws. For a
 * registered codec it returns the codec's name.
 *
 * @param response - the parsed body, its JSON text, or its bytes; or a line of a batch result file
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
export function detectApi(response: unknown): ApiName | undefined;

/**
 * Returns whether the model has called tools.
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
 * Returns the text of an answer: the string, or the first text part; `undefined` if there is none.
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
 * Returns whether the finish reason is `complete`.
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
 * Turns a stream of any supported provider into one result. Nothing that a provider sends makes it throw: invalid events
 * become warnings, and errors become deltas.
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
   * Reads one parsed chunk or event, and returns the deltas that it adds.
   * @throws {@link RespoolError} `invalid-chunk` for anything but an object, `stream-finished` after the end
   */
  push(chunk: object): Delta[];
  /**
   * Reads bytes of server-sent events or JSON lines, and returns the deltas that they add. Chunks may split anywhere.
   * @throws {@link RespoolError} `invalid-chunk` for anything but bytes, `stream-finished` after the end
   */
  pushBytes(bytes: Bytes): Delta[];
  /**
   * Whether the provider has marked the end of the stream, as with `[DONE]` or `message_stop`. Not every provider does.
   * Nothing new follows, but some servers leave the connection open: don't wait for its end.
   */
  readonly isDone: boolean;
  /** Ends the input and returns the result. Call {@link takeDeltas} then: it returns the last deltas. */
  finish(): StreamResult;
  /** Aborts the stream and returns what was received. The reason becomes `error.message`. */
  abort(reason?: unknown): StreamResult;
  /**
   * Returns the result so far, with ending `"open"`. Snapshots share structure: all objects and arrays without a change
   * since the last snapshot are the same (`===`), and if nothing has changed, so is the snapshot itself. Don't change
   * them. Only added text is copied, so that a snapshot after each delta takes linear time in total; the rest of the
   * result is built and compared each time.
   */
  snapshot(): StreamResult;
  /**
   * Returns the deltas of {@link finish}, once: those of a last event without a line end, and those that were held back
   * because the stream might go on. For example, the end of a call without arguments and the `finish` after it are held
   * back if no chunk follows the finish reason.
   */
  takeDeltas(): Delta[];
  /**
   * Returns the state of the stream as bytes, from which {@link restore} continues in another process. The following
   * deltas and the result are the same as without saving. Works between any two pushes, even in the middle of an event,
   * and after the end. The size is that of the text received so far, plus at most 2 KB, plus up to 110 bytes for each
   * call, choice and part.
   *
   * @throws {@link DecodeError} `codec-error` if the codec that reads the stream can't be saved: see {@link CodecStream}
   *
   * @example
   * ```ts
   * import { StreamAccumulator } from "respool";
   *
   * const before = new StreamAccumulator();
   * before.push({ choices: [{ delta: { content: "Hel" } }] });
   * const saved = before.save(); // a Uint8Array, for a database or a queue
   *
   * const after = StreamAccumulator.restore(saved);
   * after.push({ choices: [{ delta: { content: "lo" }, finish_reason: "stop" }] });
   * console.log(after.finish().text); // → Hello
   * ```
   */
  save(): Uint8Array;
  /**
   * Continues a stream that was {@link save | saved}. Register its codecs first.
   *
   * @param saved - the bytes that `save` returned
   * @param options - the saved options apply; any that are set here must be equal to them
   * @throws {@link RespoolError} `invalid-state` for bytes that are damaged, cut off, or of another version;
   * `invalid-option` for an option that differs from the saved one
   * @throws {@link DecodeError} `codec-error` if the codec that reads the stream isn't registered, or rejects its state
   */
  static restore(saved: Bytes, options?: StreamAccumulatorOptions): StreamAccumulator;
  /**
   * Returns the fewest deltas from which a client that joins late can rebuild the answer so far: the text of each part
   * and each tool call once, the calls last. Followed by all later deltas, they lead to the same answer as the deltas
   * from the start, except that text before and after a call may be merged. After {@link finish}, call
   * {@link takeDeltas} first: these deltas include its deltas.
   *
   * @example
   * ```ts
   * import { StreamAccumulator } from "respool";
   *
   * const stream = new StreamAccumulator();
   * for (const content of ["At ", "9", ":35."]) stream.push({ choices: [{ delta: { content } }] });
   * console.log(stream.catchUp()); // → [ { type: 'text', text: 'At 9:35.' } ]
   * ```
   */
  catchUp(): Delta[];
  /** Frees the memory at once. Calling it again does nothing. */
  free(): void;
  /** Same as {@link free}, for `using`. */
  [Symbol.dispose](): void;
}
