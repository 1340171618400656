import type {
  AnnotatedLlmResponse,
  Delta,
  FinishReason,
  Limits,
  RequestFailureCode,
  StreamResult,
  ToolCall,
  Usage,
} from "../../pkg/wasm/respool.js";
import type { ApiName } from "./codecs.js";
import type { Agent, LoopDetectorOptions, ReasoningTags, StreamSource, TextToolCalls } from "./api.js";
import type { CallToParse } from "./outputs.js";
import type { ToolHandler, ToolResult } from "./tool.js";

export type { RequestFailureCode };

/** A message of the conversation (an item for Responses), in the form of the interface. */
export type RequestMessage = object;

/** The second argument of a {@link Transport}. */
export interface TransportContext {
  /** Fires when the request is cancelled or the model stalls. */
  signal: AbortSignal;
  /** Announces that the transport waits before a retry, so that the wait doesn't count as a stall. */
  onWait(ms: number): void;
}

/**
 * Calls the model. Returns a fetch `Response`, a stream, or anything else that {@link streamDeltas} reads.
 *
 * `payload` contains `stream: true`, the `params`, the conversation as `messages`, and the definitions of the `tools`
 * if there are any. For Responses, the conversation is `input`, and for Google's Interactions API it is `input`, a list
 * of steps. For Gemini it is `contents`, and the URL asks for a stream. For Bedrock, the URL asks for a stream, too,
 * and the `tools` are in `toolConfig`. The type of `payload` is `never`, so that you can pass it to any SDK; to read
 * its fields, declare a type for it. For the same reason the result may be a promise of any object: TypeScript picks an
 * SDK's overload for complete answers.
 */
export interface Transport {
  (payload: never, context: TransportContext): StreamSource | PromiseLike<object>;
  /** The interface of the model. */
  api?: ApiName;
}

/** A clock for tests. The runtime's functions replace missing ones. */
export interface Clock {
  /** Returns the time in milliseconds since 1970. */
  now?(): number;
  /** Calls `run` after `ms` milliseconds. Returns the timer for {@link clearTimeout}. */
  setTimeout?(run: () => void, ms: number): unknown;
  /** Cancels a timer. */
  clearTimeout?(timer: unknown): void;
}

/** How to find tool calls in text. */
export interface FallbackOptions extends Omit<TextToolCalls, "tools"> {
  /** The tool definitions, or `"any"`. Default: the request's `toolDefinitions`, `tools` and `exitTools`. */
  tools?: TextToolCalls["tools"];
  /** Tags that mark reasoning in the text. Default: none, so that reasoning stays part of the text. */
  reasoningTags?: ReasoningTags;
}

/** Options of {@link runRequest}. */
export interface RequestOptions {
  /** The function that calls the model. */
  transport: Transport;
  /**
   * The interface, which decides the form of tools and messages. Default: the transport's `api`. Without either, as for a
   * function that calls an SDK, tools and the payload have the form of `openai-chat`, while the messages after an answer have
   * the form of the answer: set it for any other interface.
   */
  api?: ApiName;
  /** The conversation so far. The runner doesn't change the array. */
  messages: readonly RequestMessage[];
  /**
   * Further fields of the payload, except the conversation: the model, the temperature … Most servers of chat completions
   * report the usage only with `stream_options: { include_usage: true }`.
   */
  params?: Record<string, unknown>;
  /** The tools by name, as {@link tool} returns them, or functions that run them. */
  tools?: Record<string, ToolHandler>;
  /**
   * Definitions in the form of the interface, for tools that `tool` didn't define. They are sent together with those of
   * `params.tools`; if two have the same name, these take precedence.
   */
  toolDefinitions?: readonly object[];
  /**
   * The names of tools whose calls the runner records as `signals` instead of running them. Arguments that aren't a JSON
   * object are recorded, too, and then fail the request as for any tool; otherwise they aren't validated.
   */
  exitTools?: readonly string[];
  /**
   * Maximum number of tool calls, and of turns that Anthropic paused. Default 10. A turn with more calls than are left fails
   * the request.
   */
  toolBudget?: number;
  /** What the budget counts: every call, or every turn with calls. Default `"call"`. */
  budgetUnit?: "call" | "iteration";
  /**
   * Whether an invalid call or a failed tool fails the request or is sent to the model as an error. By default it fails the
   * request, except for arguments that don't match the parameters of a {@link tool}: the model can correct those.
   */
  onToolError?: "fail" | "feedback";
  /** Whether to run the tools of a turn at the same time. Default `false`. */
  parallelTools?: boolean;
  /** Maximum time for one tool, in milliseconds. Default: unlimited. */
  toolTimeoutMs?: number;
  /** Maximum time without data from the model, in milliseconds; includes the wait for the first byte. Default: unlimited. */
  stallTimeoutMs?: number;
  /**
   * How often to retry a turn whose stream broke or stalled, or whose transport failed in a way that may pass, such as with a
   * status of 429. Default 0. The text of the failed attempt is kept.
   */
  maxRetries?: number;
  /** Returns the conversation for the next turn. `messages` already includes the tools' results. */
  rebuildConversation?(messages: RequestMessage[]): readonly RequestMessage[] | PromiseLike<readonly RequestMessage[]>;
  /** Whether to find tool calls written as text; `true` detects the formats with markers. Structured calls take precedence. */
  fallback?: boolean | FallbackOptions;
  /** Whether to stop a model that repeats itself, or the thresholds for that. Default `false`. */
  loopDetector?: boolean | LoopDetectorOptions;
  /** Cancels the request. */
  signal?: AbortSignal;
  /** Called for each delta. If it returns a promise, the next delta waits for it. An error fails the request. */
  onDelta?(delta: RequestDelta): unknown;
  /** What you know about the model. With `outputs`, the text of answers is expected to be JSON. */
  agent?: Agent;
  /**
   * Whether to emit `json` deltas: partial values of arguments while they arrive, and of the text with `agent.outputs`.
   * Default `false`. `index` begins at 0 in each turn and each attempt, so begin a new {@link PartialJson} at `step-start`
   * and at the warning `turn-retried`.
   */
  partialJson?: boolean;
  /** The limits of each answer. */
  limits?: Limits;
  /** A clock for tests. */
  clock?: Clock;
  /** Returns a number from 0 up to, but not including, 1, for the delays between attempts. Default `Math.random`. */
  random?(): number;
}

/** The result of a tool call: a value, or the error that the model gets. */
export type RequestToolResult =
  /** The tool returned a value. */
  | {
      /** The id of the call. */
      id: string;
      /** The tool's name. */
      name: string;
      /** The value that the tool returned. */
      result: unknown;
      /** Absent. */
      error?: undefined;
    }
  /** The tool failed, or the call was invalid. */
  | {
      /** The id of the call. */
      id: string;
      /** The tool's name. */
      name: string;
      /** The error text that the model gets. */
      error: string;
      /** Absent. */
      result?: undefined;
    };

/** A delta of any turn, a result of a tool, or the start or the end of a turn. */
export type RequestDelta =
  | Delta
  /** A turn starts: the model is asked. */
  | {
      type: "step-start";
      /** The index of the turn, and of its step in the result. */
      step: number;
    }
  /** A tool has run, or its call was invalid. */
  | ({ type: "tool-result" } & RequestToolResult)
  /** A turn is over: the model has answered, and the tools have run. Missing if the request is cancelled before. */
  | {
      type: "step-finish";
      /** The index of the turn. */
      step: number;
      /** Why the model stopped. */
      finishReason?: FinishReason;
      /** The usage of the turn. */
      usage?: Usage;
    }
  /** A turn is retried, or a tool has no definition. */
  | {
      type: "warning";
      /** The stable code. */
      code: "turn-retried" | "undefined-tool";
      /** What is wrong, and what happens next. */
      message: string;
    };

/** One turn of a request: the model's answer, and the results of its calls. */
export interface RequestStep {
  /** The text. */
  text: string;
  /** The reasoning. */
  reasoning: string;
  /** All calls, including invalid ones and those of exit tools. */
  toolCalls: ToolCall[];
  /** The results of the calls, in their order. Calls of exit tools and calls that were interrupted have none. */
  toolResults: RequestToolResult[];
  /** Why the model stopped. */
  finishReason?: FinishReason;
  /** The usage of the last attempt. */
  usage?: Usage;
  /** The whole answer. */
  response: AnnotatedLlmResponse;
}

/** The state of a request; the last three are final. */
export type RequestState = "running" | "tool_running" | "completed" | "failed" | "canceled";

/** Why a request failed. */
export interface RequestFailure {
  /** The stable code. */
  code: RequestFailureCode;
  /** What went wrong. */
  message: string;
  /** The HTTP status, if the server returned one that isn't a success. */
  status?: number;
  /** Number of seconds to wait before trying again, if the server says so. */
  retryAfter?: number;
  /** The provider's id of the request. */
  requestId?: string;
  /** The error that caused the failure, if there was one. */
  cause?: unknown;
}

/** The result of a request. */
export interface RequestResult {
  /** How the request ended. */
  state: "completed" | "failed" | "canceled";
  /** The model's text from all turns and attempts. */
  text: string;
  /**
   * The text of the last turn. Empty if the request failed or was cancelled between two turns: `messages` contains it
   * then.
   */
  finalText: string;
  /**
   * The conversation to continue with, in the form of the interface: the messages that you passed, those of every complete
   * turn with the results of its tools, and the final answer. A turn that failed or was cancelled isn't included.
   */
  messages: RequestMessage[];
  /** The messages that the request added, in the same form. */
  newMessages: RequestMessage[];
  /** The turns, including one that failed or was cancelled. */
  steps: RequestStep[];
  /** The calls to exit tools. */
  signals: ToolCall[];
  /** The finish reason of the last turn. */
  finishReason?: FinishReason;
  /** The usage of all turns and attempts together. */
  usage?: Usage;
  /** Why the request failed, if it did. */
  failure?: RequestFailure;
  /** The unused part of the `toolBudget`. */
  toolBudgetRemaining: number;
  /** The number of finished turns. */
  iterations: number;
  /** The time of the last read, according to the clock. */
  lastByteAt?: number;
}

/** A running or finished request. */
export interface RequestHandle extends AsyncIterable<RequestDelta> {
  /** The current state. */
  readonly state: RequestState;
  /** Cancels the request at once, even while a tool runs. Does nothing after the end. */
  cancel(reason?: unknown): void;
  /** Resolves with the result when the request has completed or failed. @throws `AbortError` if it was cancelled */
  result(): Promise<RequestResult>;
  /** Returns the result of a finished or cancelled request. @throws {@link RespoolError} `request-running` before the end */
  getResult(): RequestResult;
  /** Iterates over the deltas. Each is emitted once. Leaving the loop cancels the request. */
  [Symbol.asyncIterator](): AsyncIterableIterator<RequestDelta>;
}

/**
 * Asks a model, runs the tools it calls, sends the results back, and repeats until the model has answered. The request
 * starts by itself; deltas are queued until you read them. Whatever happens, the result contains everything the model said.
 *
 * @throws {@link RespoolError} `invalid-option`
 *
 * @example
 * ```ts
 * import { runRequest, tool } from "respool";
 *
 * const answers = [
 *   { choices: [{ delta: { tool_calls: [{ id: "a", function: { name: "tide", arguments: '{"port":"Bodø"}' } }] }, finish_reason: "tool_calls" }] },
 *   { choices: [{ delta: { content: "High tide is at 9:35." }, finish_reason: "stop" }] },
 * ];
 * const request = runRequest({
 *   transport: () => [answers.shift()!],
 *   messages: [{ role: "user", content: "When is high tide in Bodø?" }],
 *   tools: {
 *     tide: tool({
 *       description: "The next high tide in a port",
 *       parameters: { type: "object", properties: { port: { type: "string" } }, required: ["port"] },
 *       execute: ({ port }) => ({ port, high: "9:35" }),
 *     }),
 *   },
 * });
 * const { state, finalText, messages } = await request.result();
 * console.log(state, finalText, messages.length); // → completed High tide is at 9:35. 4
 * ```
 */
export function runRequest(options: RequestOptions): RequestHandle;

/**
 * Returns the messages that send tool results to a model, to append to the conversation: the model's answer, with only
 * the calls you pass, then their results. Signed and encrypted reasoning is included. Without calls it returns only the
 * answer, or an empty list if the answer is empty.
 *
 * @param api - the interface that the messages are for
 * @param response - the answer that contains the calls
 * @param toolCalls - the calls that were run, each with its id: those of a result, of a response, or as the provider sent
 *   them
 * @param results - the result of each call, in the same order
 * @throws {@link RespoolError} `invalid-option`
 * @throws {@link OutputParseError} `not-a-tool-call`
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
  api:
    | "openai-chat"
    | "openai-responses"
    | "anthropic-messages"
    | "gemini"
    | "gemini-interactions"
    | "bedrock-converse"
    | "ollama-chat"
    | "cohere-chat",
  response: AnnotatedLlmResponse | StreamResult,
  toolCalls: readonly CallToParse[],
  results: readonly ToolResult[],
): RequestMessage[];
