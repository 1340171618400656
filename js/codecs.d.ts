import type { Usage } from "../pkg/wasm/respool.js";

/** One thing that a codec read. `part` orders parts, `index` tool calls; `choice` is 0 where there is one. */
export type CodecUpdate =
  | { type: "id"; id: string }
  | { type: "model"; model: string }
  | { type: "text" | "refusal"; text: string; part?: number; choice?: number }
  | { type: "reasoning"; text?: string; signature?: string; encrypted?: string; part?: number; choice?: number }
  | {
      type: "tool-call";
      index?: number;
      id?: string;
      name?: string;
      /** A piece of JSON text, or an object. */
      arguments?: string | object;
      done?: boolean;
      choice?: number;
    }
  | { type: "annotation"; annotation: unknown; part?: number; choice?: number }
  | { type: "other"; raw: unknown; part?: number; choice?: number }
  | ({ type: "usage" } & Partial<Omit<Usage, "raw">> & Record<string, unknown>)
  | { type: "finish"; finishReason: string; rawFinishReason?: string; choice?: number }
  | { type: "error"; message: string; providerType?: string; providerCode?: string }
  | { type: "warning"; message: string }
  | { type: "extra"; name: string; value: unknown }
  | { type: "data"; data: unknown }
  | { type: "done" };

/** An interface of your own. */
export interface Codec {
  /** Its name, as it will be in `apiSpecific.apiName` and as {@link detectApi} answers it. */
  name: string;
  /** Whether this is a whole body, or an event of a stream, of this interface. It goes before those built in. */
  detect(value: unknown): boolean;
  /** What a whole body says. */
  decode(body: any): CodecUpdate | CodecUpdate[];
  /** Called for each stream: gives the function that says what an event says. Without it `decode` does. */
  stream?(): (event: any) => CodecUpdate | CodecUpdate[] | undefined;
}

/**
 * Teaches all functions and accumulators an interface of your own. Gives the function that undoes it.
 *
 * @throws {@link RespoolError} `invalid-option`
 *
 * @example
 * ```ts
 * import { decode, registerCodec } from "respool";
 *
 * const unregister = registerCodec({
 *   name: "parrot",
 *   detect: (value) => typeof value === "object" && value !== null && "squawk" in value,
 *   decode: ({ squawk }) => [
 *     { type: "text", text: squawk },
 *     { type: "finish", finishReason: "complete" },
 *   ],
 * });
 * console.log(decode({ squawk: "Hello" }).message); // → Hello
 * unregister();
 * ```
 */
export function registerCodec(codec: Codec): () => void;
