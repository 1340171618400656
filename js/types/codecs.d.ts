import type { Usage } from "../../pkg/wasm/respool.js";

/**
 * One thing that a codec read. What is of several choices says which `choice`, counted from 0; the parts of a message have
 * a place, `part`, and tool calls one among the calls, `index`. Whatever is left out is 0.
 */
export type CodecUpdate =
  /** The provider's id of the answer. */
  | {
      type: "id";
      /** The id. */
      id: string;
    }
  /** The model that answers. */
  | {
      type: "model";
      /** Its name. */
      model: string;
    }
  /** More text for the user, or more of why the model does not answer. */
  | {
      type: "text" | "refusal";
      /** What is to be appended. */
      text: string;
      /** The place of the part among the parts of the message. */
      part?: number;
      /** The choice. */
      choice?: number;
    }
  /** More of what the model thinks. */
  | {
      type: "reasoning";
      /** What is to be appended. */
      text?: string;
      /** More of the provider's signature, to be sent back with the text. */
      signature?: string;
      /** More of the encrypted form, to be sent back as it is. */
      encrypted?: string;
      /** The place of the part among the parts of the message. */
      part?: number;
      /** The choice. */
      choice?: number;
    }
  /** A tool call, or more of one. */
  | {
      type: "tool-call";
      /** The place of the call among the calls. */
      index?: number;
      /** The provider's id of the call; one is made up where there is none. */
      id?: string;
      /** The tool's name. */
      name?: string;
      /** A piece of JSON text, or an object. */
      arguments?: string | object;
      /** Whether the call is over. */
      done?: boolean;
      /** The choice. */
      choice?: number;
    }
  /** A citation or annotation of the text. */
  | {
      type: "annotation";
      /** The annotation as the provider sent it. */
      annotation: unknown;
      /** The place of the text that it belongs to. */
      part?: number;
      /** The choice. */
      choice?: number;
    }
  /** A part of the message that has no common form. */
  | {
      type: "other";
      /** The part as the provider sent it. */
      raw: unknown;
      /** The place of the part among the parts of the message. */
      part?: number;
      /** The choice. */
      choice?: number;
    }
  /** What the answer has cost so far. It replaces what was said before; members besides the counts are kept in `raw`. */
  | ({ type: "usage" } & Partial<Omit<Usage, "raw">> & Record<string, unknown>)
  /** The model has stopped. */
  | {
      type: "finish";
      /** Why: `"complete"`, `"length"`, `"tool_use"`, `"content_filter"`; any other word becomes `{ unknown: word }`. */
      finishReason: string;
      /** Why, in the provider's word. */
      rawFinishReason?: string;
      /** The choice. */
      choice?: number;
    }
  /** The provider reported an error. */
  | {
      type: "error";
      /** The provider's message. */
      message: string;
      /** The provider's type of the error. */
      providerType?: string;
      /** The provider's code or status. */
      providerCode?: string;
    }
  /** Something was not as it should be: a warning `invalid-event`. */
  | {
      type: "warning";
      /** What was wrong, and what was made of it. */
      message: string;
    }
  /** A member of the body that has no field: it is kept in `extra`. */
  | {
      type: "extra";
      /** Its name. */
      name: string;
      /** Its value. */
      value: unknown;
    }
  /** What only this interface has: it is kept as `apiSpecific.data`. The last one counts. */
  | {
      type: "data";
      /** Anything that is JSON. */
      data: unknown;
    }
  /** The stream is over, also where nothing said why. */
  | { type: "done" };

/** Reads one event of a stream. Declare the type of `event` that your interface sends. */
export type CodecEventReader = {
  /** Reads one event. */
  read(event: unknown): CodecUpdate | CodecUpdate[] | undefined;
}["read"];

/** An interface of your own. */
export interface Codec {
  /** Its name, as it will be in `apiSpecific.apiName` and as {@link detectApi} answers it. */
  name: string;
  /** Whether this is a whole body, or an event of a stream, of this interface. It goes before those built in. */
  detect(value: unknown): boolean;
  /** Reads a complete body. Declare the type of `body` that {@link detect} accepts. */
  decode(body: unknown): CodecUpdate | CodecUpdate[];
  /** Called for each stream: returns the function that reads its events. Without it `decode` reads them. */
  stream?(): CodecEventReader;
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
 *   decode: ({ squawk }: { squawk: string }) => [
 *     { type: "text", text: squawk },
 *     { type: "finish", finishReason: "complete" },
 *   ],
 * });
 * console.log(decode({ squawk: "Hello" }).message); // → Hello
 * unregister();
 * ```
 */
export function registerCodec(codec: Codec): () => void;
