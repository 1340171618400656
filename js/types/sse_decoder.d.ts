import type { SseEvent } from "../../pkg/wasm/respool.js";
import type { Bytes } from "./api.js";

/**
 * The framing of server-sent events alone, as WHATWG defines it, cut anywhere.
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
  /** The events that these bytes completed. */
  push(bytes: Bytes): SseEvent[];
  /** The event whose blank line is missing at the end of the input, if there is one. */
  finish(): SseEvent[];
  /** Gives the memory back at once. Calling it again does nothing. */
  free(): void;
  /** The same as {@link free}, for `using`. */
  [Symbol.dispose](): void;
}
