import type {
  AnnotatedLlmResponse,
  Api,
  Delta,
  FinishReason,
  Limits,
  RequestFailureCode,
  StreamResult,
  ToolCall,
  Usage,
} from "../../pkg/wasm/respool.js";
import type { LoopDetectorOptions, ProviderError, ReasoningTags, StreamSource, TextToolCalls } from "./api.js";

export type { RequestFailureCode };

/** One message of a conversation, or one item of Responses, in the form of the interface. */
export type RequestMessage = object;

/** What a transport is given besides the payload. */
export interface TransportContext {
  /** Aborted when the request is canceled, and when nothing came for too long. */
  signal: AbortSignal;
  /** Says that the transport waits by itself, so many milliseconds: that is no stall. */
  onWait(ms: number): void;
}

/**
 * Asks the model. `payload` is what the interface takes: `messages` (`input` for Responses), the `params`, `tools` where
 * there are definitions, and `stream: true`. Its type is `never`, which fits the parameter of every SDK; to read its members,
 * declare the parameter's type. Return a fetch `Response`, a stream, or anything else that {@link streamDeltas} reads.
 */
export interface Transport {
  (payload: never, context: TransportContext): StreamSource;
  /** The interface that it speaks to. */
  api?: Api | (string & {});
}

/** What a tool gives back in several parts, or as an error that the model is told: the form of MCP. */
export interface ToolContent {
  /** The parts: text, images, and others, which are told to the model as JSON. */
  content: (
    | {
        /** Text. */
        type: "text";
        /** The text. */
        text: string;
      }
    | {
        /** An image. */
        type: "image";
        /** Its bytes in base64. */
        data: string;
        /** For example `"image/png"`. */
        mimeType: string;
      }
    | {
        /** Anything else. */
        type: string;
        [member: string]: unknown;
      }
  )[];
  /** Whether the model is told that the tool failed. Default false. */
  isError?: boolean;
}

/**
 * What a tool gives back: text, {@link ToolContent}, or anything else that is JSON. An `Error` is told to the model. For
 * the tools that Responses defines (`shell`, `apply_patch`, `computer` …) an object has the members of the output item.
 */
export type ToolResult = unknown;

/** What a tool is given besides its arguments. */
export interface ToolContext {
  /** Aborted when the request is canceled, another tool fails, or this one takes too long. */
  signal: AbortSignal;
  /** The call. Its `arguments` are the JSON text as the model wrote it. */
  toolCall: ToolCall;
}

/**
 * Runs a tool. The arguments are an object, whose type you can declare. A custom tool gets its text: declare the parameter
 * as `unknown`.
 */
export type ToolHandler = {
  /** Runs the tool. */
  run(args: Record<string, unknown>, context: ToolContext): ToolResult | PromiseLike<ToolResult>;
}["run"];

/** Time, for tests. What is missing is the runtime's. */
export interface Clock {
  /** Milliseconds since 1970. */
  now?(): number;
  /** Calls `run` after so many milliseconds; gives what {@link clearTimeout} takes. */
  setTimeout?(run: () => void, ms: number): unknown;
  /** Forgets a call that was to come. */
  clearTimeout?(timer: unknown): void;
}

/** Tool calls that a model writes into its text. Without `tools` they are those of the request's `toolDefinitions`. */
export interface FallbackOptions extends Partial<TextToolCalls> {
  /** Reasoning that stands between tags in the text. Default: it is left where it is. */
  reasoningTags?: ReasoningTags;
}

/** Options of {@link runRequest}. */
export interface RequestOptions {
  /** What asks the model. */
  transport: Transport;
  /** The interface, where the transport does not say. It decides the form of what is sent. */
  api?: Api | (string & {});
  /** The conversation so far. The list is not changed. */
  messages: readonly RequestMessage[];
  /** What is sent besides: the model, its temperature … */
  params?: Record<string, unknown>;
  /** What runs each tool, by its name. */
  tools?: Record<string, ToolHandler>;
  /** The definitions of the tools, exit tools too, in the form of the interface. */
  toolDefinitions?: object[];
  /** The names of tools that are not run: a call of one is recorded as a signal. */
  exitTools?: string[];
  /** How much may be run. Default 10. A turn that calls for more than is left is not run. */
  toolBudget?: number;
  /** What the budget counts: each call, which is the default, or each turn with calls. */
  budgetUnit?: "call" | "iteration";
  /** Whether a call that cannot be run, or whose tool fails, is the end, which is the default, or is told to the model. */
  onToolError?: "fail" | "feedback";
  /** Whether the tools of a turn run at the same time. Default false: one after the other. */
  parallelTools?: boolean;
  /** How long one tool may take, in milliseconds. Default: as long as it likes. */
  toolTimeoutMs?: number;
  /** How long nothing may come from the model, from the question on, in milliseconds. Default: as long as it likes. */
  stallTimeoutMs?: number;
  /** How often a turn is asked for again whose answer broke off or stalled. Default 0. What it had said is kept. */
  maxRetries?: number;
  /** Makes the conversation that is sent after tools have run, of the one before and the new messages. */
  rebuildConversation?(messages: RequestMessage[]): readonly RequestMessage[] | PromiseLike<readonly RequestMessage[]>;
  /** Whether tool calls in the text count; `true` for the formats that have marks. Calls in their proper place go first. */
  fallback?: boolean | FallbackOptions;
  /** Whether a model that repeats itself is stopped; options of its thresholds. */
  loopDetector?: boolean | LoopDetectorOptions;
  /** Cancels the request. */
  signal?: AbortSignal;
  /** Called for each delta. The next one waits for what it promises; what it throws fails the request. */
  onDelta?(delta: RequestDelta): unknown;
  /** Bounds on what one answer may make the accumulator hold. */
  limits?: Limits;
  /** The time, for tests. */
  clock?: Clock;
  /** Numbers from 0 up to 1, for the times between attempts. Default `Math.random`. */
  random?(): number;
}

/** A delta of any turn, or that an answer broke off and is asked for again. */
export type RequestDelta =
  | Delta
  | {
      type: "warning";
      /** The stable code. */
      code: "turn-retried";
      /** What broke off, and which attempt comes now. */
      message: string;
    };

/** Where a request is: the last three are its ends. */
export type RequestState = "running" | "tool_running" | "completed" | "failed" | "canceled";

/** Why a request failed. */
export interface RequestFailure {
  /** The stable code. */
  code: RequestFailureCode;
  /** What went wrong. */
  message: string;
  /** What was thrown, where something was. */
  cause?: unknown;
}

/** What a request came to. */
export interface RequestResult {
  /** How it ended. */
  state: "completed" | "failed" | "canceled";
  /** Everything that the model said, over all turns and attempts. */
  text: string;
  /** The calls of exit tools. */
  signals: ToolCall[];
  /** Why the model stopped, the last time. */
  finishReason?: FinishReason;
  /** What all turns have cost together. */
  usage?: Usage;
  /** Why it failed, where it did. */
  failure?: RequestFailure;
  /** How much of the `toolBudget` is left. */
  toolBudgetRemaining: number;
  /** How many turns have ended. */
  iterations: number;
  /** When something was read the last time, by the clock. */
  lastByteAt?: number;
}

/** A request that is under way. */
export interface RequestHandle extends AsyncIterable<RequestDelta> {
  /** Where the request is. */
  readonly state: RequestState;
  /** Ends the request at once, also while a tool runs. Once it is over this does nothing. */
  cancel(reason?: unknown): void;
  /** Resolves when the request has completed or failed. @throws `AbortError` if it was canceled */
  result(): Promise<RequestResult>;
  /** The result of a request that is over, a canceled one too. @throws {@link RespoolError} `request-running` before */
  getResult(): RequestResult;
  /** The deltas as they come; each is given once. The loop ends with the request; leaving it cancels the request. */
  [Symbol.asyncIterator](): AsyncIterableIterator<RequestDelta>;
}

/**
 * Asks a model, runs the tools that it calls, and asks again, until it has answered. It begins by itself; the deltas are
 * kept until they are read. Whatever happens, what was said until then is in the result.
 *
 * @throws {@link RespoolError} `invalid-option`
 *
 * @example
 * ```ts
 * import { runRequest } from "respool";
 *
 * const answers = [
 *   { choices: [{ delta: { tool_calls: [{ id: "a", function: { name: "tide", arguments: '{"port":"Bodø"}' } }] }, finish_reason: "tool_calls" }] },
 *   { choices: [{ delta: { content: "High tide is at 9:35." }, finish_reason: "stop" }] },
 * ];
 * const request = runRequest({
 *   transport: () => [answers.shift()!],
 *   messages: [{ role: "user", content: "When is high tide in Bodø?" }],
 *   tools: { tide: ({ port }) => ({ port, high: "9:35" }) },
 * });
 * const { state, text, toolBudgetRemaining } = await request.result();
 * console.log(state, text, toolBudgetRemaining); // → completed High tide is at 9:35. 9
 * ```
 */
export function runRequest(options: RequestOptions): RequestHandle;

/** What `new Headers()` takes. */
export type RequestHeaders = Headers | [string, string][] | Record<string, string>;

/** Turns a payload into the body of the HTTP request. */
export type RequestBodyFactory = {
  /** Returns the body, or a promise of it. */
  create(payload: Record<string, unknown>): unknown;
}["create"];

/** Options of {@link fetchTransport}. */
export interface FetchTransportOptions {
  /** The address of the interface itself, as `https://api.openai.com/v1/chat/completions`. */
  url: string | URL;
  /** Headers, or a function that gives them for each attempt. */
  headers?: RequestHeaders | (() => RequestHeaders | PromiseLike<RequestHeaders>);
  /** The interface. Default `"openai-chat"`. */
  api?: Api | (string & {});
  /** Members to add to each payload, or a function that turns a payload into the body. */
  body?: object | RequestBodyFactory;
  /** In place of the global `fetch`. It is asked with `redirect: "manual"`, so that nobody else gets the headers. */
  fetch?: typeof globalThis extends { fetch: infer Fetch } ? Fetch : (url: string, init: object) => PromiseLike<Response>;
  /** How often a failed attempt is repeated. Default 2. */
  maxRetries?: number;
  /** A server that wants to be left alone for longer, in seconds, is not asked again. Default 60. */
  maxRetryAfter?: number;
  /** The time, for tests. */
  clock?: Clock;
  /** Numbers from 0 up to 1, for the times between attempts. */
  random?(): number;
}

/** What {@link fetchTransport} gives: a {@link Transport} that can also be called by itself. */
export interface FetchTransport {
  (payload: object, context?: Partial<TransportContext>): Promise<Response>;
  /** The interface that it speaks to. */
  api: Api | (string & {});
}

/** What {@link fetchTransport} throws for an answer that is none: code `http-error`. */
export interface HttpError extends ProviderError {
  /** The HTTP status. */
  readonly status: number;
  /** In how many seconds the server wants to be asked again, where it says so. */
  readonly retryAfter?: number;
}

/**
 * A transport over `fetch`. Statuses 408, 429 and from 500 on, and connections that fail, are tried again: when the
 * server says so (`Retry-After`), else after half a second and then twice as long each time, less a random part.
 *
 * @throws {@link ProviderError} `http-error` with `status` and `retryAfter`: see {@link HttpError}
 * @throws {@link RespoolError} `invalid-option`
 *
 * @example
 * ```ts
 * import { fetchTransport, streamDeltas } from "respool";
 *
 * const ask = fetchTransport({ url: "http://localhost:11434/v1/chat/completions", body: { model: "llama3.2" } });
 * const source = ask({ stream: true, messages: [{ role: "user", content: "Ferry?" }] });
 * for await (const delta of streamDeltas(source)) if (delta.type === "text") console.log(delta.text);
 * // → The ferry
 * // →  leaves at 9:35.
 * ```
 */
export function fetchTransport(options: FetchTransportOptions): FetchTransport;

/**
 * The messages that tell a model the results of its calls: what it said, with these calls and no others, then their
 * results. Append them to the conversation. Signed and encrypted reasoning goes with them.
 *
 * @param api - the interface whose form they are to have
 * @param response - the answer with the calls
 * @param toolCalls - those of its calls that were run
 * @param results - what came of each of them
 * @throws {@link RespoolError} `invalid-option`
 *
 * @example
 * ```ts
 * import { decode, formatToolMessages } from "respool";
 *
 * const response = decode({
 *   choices: [{ message: { tool_calls: [{ id: "a", function: { name: "tide", arguments: "{}" } }] }, finish_reason: "tool_calls" }],
 * });
 * const [, answer] = formatToolMessages("openai-chat", response, [{ id: "a", name: "tide", arguments: "{}" }], ["high"]);
 * console.log(answer); // → { role: 'tool', tool_call_id: 'a', content: 'high' }
 * ```
 */
export function formatToolMessages(
  api: "openai-chat" | "openai-responses" | "anthropic-messages",
  response: AnnotatedLlmResponse | StreamResult,
  toolCalls: readonly ToolCall[],
  results: readonly ToolResult[],
): RequestMessage[];
