import type { ProviderError } from "./api.js";
import type { ApiName } from "./codecs.js";
import type { Clock, TransportContext } from "./runner.js";

/** Headers in any form that `new Headers()` accepts. */
export type RequestHeaders = Headers | [string, string][] | Record<string, string>;

/** A request before its headers are complete, for a function that signs it. */
export interface UnsignedRequest {
  /** The full URL. */
  url: string;
  /** The method. */
  method: "POST";
  /** The headers that are sent unless you replace them. */
  headers: Headers;
  /** The body as it will be sent. */
  body: string;
}

/** The second argument of `fetch`, as the runtime declares it. */
export type FetchInit = typeof globalThis extends {
  /** Makes a request. */
  fetch(url: string, init?: infer Init): unknown;
}
  ? NonNullable<Init>
  : object;

/** A function that turns a payload into the body of the HTTP request. */
export type RequestBodyFactory = {
  /** Returns the body, or a promise of it. */
  create(payload: Record<string, unknown>): unknown;
}["create"];

/** Options of {@link fetchTransport}. */
export interface FetchTransportOptions {
  /**
   * The full URL of the endpoint, for example `https://api.openai.com/v1/chat/completions`. For Gemini, it contains the
   * model: `https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse`. So
   * it does for Bedrock: `https://bedrock-runtime.eu-north-1.amazonaws.com/model/MODEL/converse-stream`. For Ollama's
   * own interface it ends in `/api/chat`, for Cohere in `/v2/chat`, and for Google's Interactions API in
   * `/interactions`. In a page, or with a `fetch` that completes it, it can be a path.
   */
  url: string | URL;
  /**
   * The headers, or a function that returns them for each attempt: it can also sign the request, as AWS requires. Your
   * keys stay with you.
   */
  headers?: RequestHeaders | ((request: UnsignedRequest) => RequestHeaders | PromiseLike<RequestHeaders>);
  /** The interface. Default `"openai-chat"`. */
  api?: ApiName;
  /**
   * Fields to add to each payload, or a function that turns the payload into the body. If both have a field, the
   * payload's value wins, but objects are merged one level deep, and `tools` contains the tools of both.
   */
  body?: object | RequestBodyFactory;
  /** Replaces the global `fetch`. Called with `redirect: "manual"`, so that no other server receives the headers. */
  fetch?: (url: string, init: FetchInit) => PromiseLike<Response>;
  /** How often to retry a failed attempt. Default 2. */
  maxRetries?: number;
  /** The longest `Retry-After` to wait for, in seconds. If the server asks for more, there is no retry. Default 60. */
  maxRetryAfter?: number;
  /** A clock for tests. */
  clock?: Clock;
  /** Returns a number from 0 up to, but not including, 1, for the delays between attempts. Default `Math.random`. */
  random?(): number;
}

/** A {@link Transport} that you can also call yourself. */
export interface FetchTransport {
  (payload: object, context?: Partial<TransportContext>): Promise<Response>;
  /** The interface of the model. */
  api: ApiName;
}

/** A {@link ProviderError} for an HTTP status that isn't a success. */
export interface HttpError extends ProviderError {
  readonly code: "http-error";
  /** The HTTP status. */
  readonly status: number;
}

/**
 * Creates a transport that uses `fetch`. It retries after a status of 408, 429 or 5xx, or if the connection fails. It waits
 * as long as `Retry-After` says, otherwise half a second, then twice as long each time, less a random part of up to half.
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
