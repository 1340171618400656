import type { StreamResult } from "../../pkg/wasm/respool.js";

/**
 * The base class of all errors. Its own codes report misuse, and `missing-global` a global that the runtime lacks, which
 * the message names.
 */
export class RespoolError extends Error {
  constructor(code: string, message: string, options?: { cause?: unknown });
  /** The stable code, in kebab-case. */
  readonly code: string;
  /** Whether a value is an error of this class, even from another copy of this package. */
  static isInstance<T extends abstract new (...args: never) => unknown>(this: T, value: unknown): value is InstanceType<T>;
}

/** A body can't be read: `invalid-json`, `unknown-response` or `empty-response`. */
export class DecodeError extends RespoolError {}

/** The provider reported an error: `provider-error`. */
export class ProviderError extends RespoolError {
  /** The provider's type of the error, for example `"overloaded_error"`. */
  readonly providerType?: string;
  /** The provider's code or status, for example `"rate_limit_exceeded"`. */
  readonly providerCode?: string;
  /** The error as the provider sent it in a stream. */
  readonly raw?: unknown;
}

/** The model refused: `refusal`. */
export class RefusalError extends RespoolError {
  /** The refusal so far. */
  readonly refusal: string;
  /** Trying again leads to the same result. */
  readonly outcome: "determinate";
  /** Everything that was received. */
  readonly partial: StreamResult;
}

/** A stream failed: `stream-broken`, `stream-truncated`, `http-error`, `provider-error` or `limit-exceeded`. */
export class StreamError extends RespoolError {
  /** `"determinate"` if the provider reported the failure, `"indeterminate"` if the outcome is unknown. */
  readonly outcome: "determinate" | "indeterminate";
  /** Everything that was received. */
  readonly partial: StreamResult;
}

/**
 * The output of a model can't be parsed: `invalid-json`, `not-an-object`, `truncated-json`, or `invalid-output` if it
 * doesn't match a schema.
 */
export class OutputParseError extends RespoolError {
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
  /** Where in the value; empty for the value itself. */
  path: PropertyKey[];
  /** The validator's message. */
  message: string;
}

/** A limit was exceeded: `limit-exceeded`. */
export class LimitError extends RespoolError {}
