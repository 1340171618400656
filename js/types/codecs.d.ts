import type { Api, FinishReason, Usage } from "../../pkg/wasm/respool.js";

/**
 * The names of the codecs that you register, for the compiler. Add yours, so that a misspelled interface is an error:
 *
 * `declare module "respool" { interface RegisteredCodecs { parrot: true } }`
 */
// biome-ignore lint/suspicious/noEmptyInterface: users add members to it
export interface RegisteredCodecs {}

/** The name of an interface, or of a codec in {@link RegisteredCodecs}. */
export type ApiName = Api | Extract<keyof RegisteredCodecs, string>;

/**
 * An update that a codec reads from a body or an event. `choice` is the index of the choice, `part` that of the part of
 * the message, and `index` that of the tool call. All of them default to 0.
 */
export type CodecUpdate =
  /** The answer's id. */
  | {
      type: "id";
      /** The id. */
      id: string;
    }
  /** The model that answered. */
  | {
      type: "model";
      /** Its name. */
      model: string;
    }
  /** More text, or more of a refusal. */
  | {
      type: "text" | "refusal";
      /** The text to append. */
      text: string;
      /** The index of the part. */
      part?: number;
      /** The index of the choice. */
      choice?: number;
    }
  /** More reasoning. */
  | {
      type: "reasoning";
      /** The text to append. */
      text?: string;
      /** More of the provider's signature, to be sent back with the text. */
      signature?: string;
      /** More of the encrypted reasoning, to be sent back unchanged. */
      encrypted?: string;
      /** The index of the part. */
      part?: number;
      /** The index of the choice. */
      choice?: number;
    }
  /** The start of a tool call, or more of it. */
  | {
      type: "tool-call";
      /** The index of the call. At the same index, another id or name, or a name after `done`, starts another call. */
      index?: number;
      /** The provider's id of the call; one is generated if there is none. */
      id?: string;
      /** The tool's name. */
      name?: string;
      /** A piece of JSON text, or an object. */
      arguments?: string | object;
      /** Whether the call is complete. */
      done?: boolean;
      /** The index of the choice. */
      choice?: number;
    }
  /** A citation or annotation of the text. */
  | {
      type: "annotation";
      /** The annotation as the provider sent it. */
      annotation: unknown;
      /** The index of the text that it belongs to. */
      part?: number;
      /** The index of the choice. */
      choice?: number;
    }
  /** A part of the message without a common form. */
  | {
      type: "other";
      /** The part as the provider sent it. */
      raw: unknown;
      /** The index of the part. */
      part?: number;
      /** The index of the choice. */
      choice?: number;
    }
  /** The usage so far. It replaces an earlier one. Pass the provider's own usage object as `raw`. */
  | ({ type: "usage" } & { [Name in keyof Usage]?: Usage[Name] | undefined })
  /** The model has stopped. */
  | {
      type: "finish";
      /** The reason. Pass a word without a common meaning as `{ unknown: word }`. */
      finishReason: FinishReason;
      /** The reason in the provider's own word. */
      rawFinishReason?: string;
      /** The index of the choice. */
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
  /** The input was invalid: adds a warning `invalid-event`. */
  | {
      type: "warning";
      /** What was wrong, and how it was handled. */
      message: string;
    }
  /** A member of the body without a field of its own: it is kept in `extra`. */
  | {
      type: "extra";
      /** Its name. */
      name: string;
      /** Its value. */
      value: unknown;
    }
  /** Data that only this interface has: it is kept in `apiSpecific.data`. The last one wins. */
  | {
      type: "data";
      /** Any JSON value. */
      data: unknown;
    }
  /** The stream is complete, even without a finish reason. */
  | { type: "done" };

/** Reads one event of a stream. Declare the type of `event` that your interface sends. */
export type CodecEventReader = {
  /** Reads one event. */
  read(event: unknown): CodecUpdate | CodecUpdate[] | undefined;
}["read"];

/** Reads the events of one stream, and can be saved in the middle of it. */
export interface CodecStream {
  /** Reads one event. */
  read(event: unknown): CodecUpdate | CodecUpdate[] | undefined;
  /** Returns the state of the reader as a JSON value, which {@link Codec.stream} receives when the stream is restored. */
  save(): unknown;
}

/** A custom interface. */
export interface Codec {
  /** The codec's name, in `apiSpecific.apiName` and as the result of {@link detectApi}. */
  name: string;
  /** Whether a value is a complete body or a stream event of this interface. It takes precedence over built-in interfaces. */
  detect(value: unknown): boolean;
  /**
   * Reads a complete body, which is also what a source with a single JSON object is. Declare the type of `body` that
   * {@link detect} accepts.
   */
  decode(body: unknown): CodecUpdate | CodecUpdate[];
  /**
   * Called for each stream: returns the function that reads its events, or an object that can also be saved. Without
   * this member, `decode` reads the events.
   *
   * @param saved - the result of {@link CodecStream.save}, if the stream is {@link StreamAccumulator.restore | restored}
   */
  stream?(saved?: unknown): CodecEventReader | CodecStream;
}

/**
 * Registers a custom interface with all functions and accumulators. Returns the function that unregisters it. A codec
 * of the same name is replaced; unregistering the new one doesn't restore it.
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
