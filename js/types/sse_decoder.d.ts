import type { SseEvent } from "../../pkg/wasm/respool.js";
import type { Bytes } from "./api.js";

/**
 * Decodes server-sent events as WHATWG defines them, and nothing more. Chunks may split anywhere.
 *
 * @example
 * ```ts
 * import { SseDecoder } from "respool";
 *
 * const decoder = new SseDecoder();
 * const [event] = decoder.push(new TextEncoder().encode("event: ping\ndata: {}\n\n"));
 * console.log(event?.event, event?.data); // → ping {}
 * ```
 */
export class SseDecoder {
  constructor();
  /**
   * Reads bytes and returns the events that they complete.
   *
   * @throws {@link RespoolError} `stream-finished` after {@link finish} or {@link free}
   */
  push(bytes: Bytes): SseEvent[];
  /** Ends the input and returns the last event if its blank line is missing. Calling it again returns none. */
  finish(): SseEvent[];
  /** Frees the memory at once. Calling it again does nothing. */
  free(): void;
  /** Same as {@link free}, for `using`. */
  [Symbol.dispose](): void;
}
