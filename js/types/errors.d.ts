import type { StreamResult } from "../../pkg/wasm/respool.js";

/** What all errors have in common. */
export class RespoolError extends Error {
  constructor(code: string, message: string, options?: { cause?: unknown });
  /** The stable code, in kebab-case. */
  readonly code: string;
  /** Whether a value is such an error, also one of another copy of this package. */
  static isInstance<T extends abstract new (...args: never) => unknown>(this: T, value: unknown): value is InstanceType<T>;
}

/** A body could not be read: `invalid-json`, `unknown-response` or `empty-response`. */
export class DecodeError extends RespoolError {}

/** The provider reported an error: `provider-error`. */
export class ProviderError extends RespoolError {
  /** The provider's type of the error, for example `"overloaded_error"`. */
  readonly providerType?: string;
  /** The provider's code or status, for example `"rate_limit_exceeded"`. */
  readonly providerCode?: string;
  /** The error as the provider sent it, where it came in a stream. */
  readonly raw?: unknown;
}

/** The model refused: `refusal`. */
export class RefusalError extends RespoolError {
  /** What the model had said when this was thrown. */
  readonly refusal: string;
  /** Trying again will give the same. */
  readonly outcome: "determinate";
  /** Everything that had come. */
  readonly partial: StreamResult;
}

/** A stream failed: `stream-broken`, `stream-truncated`, `http-error`, `provider-error` or `limit-exceeded`. */
export class StreamError extends RespoolError {
  /** Whether the provider said that it failed, or nobody knows what became of it. */
  readonly outcome: "determinate" | "indeterminate";
  /** Everything that had come. */
  readonly partial: StreamResult;
}

/**
 * What a model wrote could not be parsed as it should: `invalid-json`, `not-an-object`, `truncated-json`, or
 * `invalid-output` where it does not fit a schema.
 */
export class OutputParseError extends RespoolError {
  /** What the validator had to say. */
  readonly issues?: readonly OutputIssue[];
  /** What was to be parsed. */
  readonly text?: unknown;
  /** Whose arguments they are. */
  readonly toolCallId?: string;
  /** The name of that tool. */
  readonly toolName?: string;
}

/** One thing in which a value does not fit a schema. */
export interface OutputIssue {
  /** Where in the value; empty for all of it. */
  path: PropertyKey[];
  /** What does not fit, in the validator's words. */
  message: string;
}

/** A limit was exceeded: `limit-exceeded`. */
export class LimitError extends RespoolError {}
