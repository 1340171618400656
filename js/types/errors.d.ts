import type { StreamResult } from "../../pkg/wasm/respool.js";

/** The stable code of a {@link RespoolError}. New codes may be added, so write a `default` branch. */
export type ErrorCode =
  | "codec-error"
  | "empty-response"
  | "http-error"
  | "in-use"
  | "internal-error"
  | "invalid-chunk"
  | "invalid-json"
  | "invalid-option"
  | "invalid-output"
  | "invalid-source"
  | "invalid-state"
  | "limit-exceeded"
  | "missing-global"
  | "not-a-tool-call"
  | "not-an-object"
  | "not-initialised"
  | "provider-error"
  | "refusal"
  | "request-running"
  | "stream-broken"
  | "stream-finished"
  | "stream-truncated"
  | "truncated-json"
  | "unknown-response";

/**
 * The base class of all errors. Codes that no subclass has report misuse, except for `missing-global`: the runtime
 * lacks the global that the message names.
 */
export class RespoolError extends Error {
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown });
  /** The stable code, in kebab-case. */
  readonly code: ErrorCode;
  /** Whether a value is an error of this class, even from another copy of this package. */
  static isInstance<T extends abstract new (...args: never) => unknown>(this: T, value: unknown): value is InstanceType<T>;
}

/** A response can't be read: `invalid-json`, `unknown-response`, `empty-response` or `codec-error`. */
export class DecodeError extends RespoolError {
  readonly code: "invalid-json" | "unknown-response" | "empty-response" | "codec-error";
  /** Your id of the request, in a line of a batch. */
  readonly customId?: string;
  /** Set if a stream had begun: `"indeterminate"` if it ended before an answer began, so that the outcome is unknown. */
  readonly outcome?: "determinate" | "indeterminate";
  /** Everything that was received, if the response was streamed. */
  readonly partial?: StreamResult;
}

/**
 * The provider reported an error: `provider-error` in a body or a stream, `http-error` with an HTTP status that isn't a
 * success.
 */
export class ProviderError extends RespoolError {
  readonly code: "provider-error" | "http-error";
  /** The HTTP status, with the code `http-error` or in a line of a batch. */
  readonly status?: number;
  /** Number of seconds to wait before trying again, if the server says so. */
  readonly retryAfter?: number;
  /** The provider's id of the request, for its support. */
  readonly requestId?: string;
  /** Your id of the request, in a line of a batch. */
  readonly customId?: string;
  /** The provider's type of the error, for example `"overloaded_error"`. */
  readonly providerType?: string;
  /** The provider's code or status, for example `"rate_limit_exceeded"`. */
  readonly providerCode?: string;
  /** The error as the provider sent it in a stream. */
  readonly raw?: unknown;
  /** Always `"determinate"`, because the provider has answered. Trying again may help only if the error says so. */
  readonly outcome?: "determinate";
  /** Everything that was received, if the stream had begun. */
  readonly partial?: StreamResult;
}

/** The model refused: `refusal`. */
export class RefusalError extends RespoolError {
  readonly code: "refusal";
  /** The refusal so far. */
  readonly refusal: string;
  /** Trying again leads to the same result. */
  readonly outcome: "determinate";
  /** Everything that was received. */
  readonly partial: StreamResult;
}

/** A stream ended too early: `stream-broken` if the connection was lost, `stream-truncated` in the middle of a tool call. */
export class StreamError extends RespoolError {
  readonly code: "stream-broken" | "stream-truncated";
  /** `"indeterminate"` if the rest of the answer is unknown. */
  readonly outcome: "determinate" | "indeterminate";
  /** Everything that was received. */
  readonly partial: StreamResult;
}

/**
 * The output of a model can't be parsed: `invalid-json`, `not-a-tool-call`, `not-an-object`, `truncated-json`, or
 * `invalid-output` if it doesn't match a schema.
 */
export class OutputParseError extends RespoolError {
  readonly code: "invalid-json" | "not-a-tool-call" | "not-an-object" | "truncated-json" | "invalid-output";
  /** The issues that the validator found. */
  readonly issues?: readonly OutputIssue[];
  /** The input that can't be parsed. */
  readonly text?: unknown;
  /** The id of the tool call. */
  readonly toolCallId?: string;
  /** The name of the tool. */
  readonly toolName?: string;
}

/** One way in which a value doesn't match a schema. */
export interface OutputIssue {
  /** The path to the part that doesn't match; empty for the value itself. */
  path: PropertyKey[];
  /** The validator's message. */
  message: string;
}

/** A limit was exceeded: `limit-exceeded`. */
export class LimitError extends RespoolError {
  readonly code: "limit-exceeded";
  /** Set if a stream had begun: its outcome is known. */
  readonly outcome?: "determinate";
  /** Everything that was received, if the response was streamed. */
  readonly partial?: StreamResult;
}
