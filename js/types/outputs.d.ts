import type { ToolCall, Usage } from "../../pkg/wasm/respool.js";

/** A schema of a library that implements the Standard Schema, version 1: zod, valibot, arktype and others. */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The members that the Standard Schema requires. */
  readonly "~standard": {
    /** The version of the Standard Schema. */
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    /** Validates a value, synchronously or not. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** The types of the input and the output. */
    readonly types?:
      | {
          /** The type of the input. */
          readonly input: Input;
          /** The type of the output. */
          readonly output: Output;
        }
      | undefined;
  };
}

/** The result of a {@link StandardSchema}. */
export type StandardResult<Output> =
  /** The value is valid. */
  | {
      /** The output of the schema. */
      readonly value: Output;
      /** Absent. */
      readonly issues?: undefined;
    }
  /** The value is invalid. */
  | {
      /** Why it is invalid. */
      readonly issues: ReadonlyArray<{
        /** The validator's message. */
        readonly message: string;
        /** The path in the value. */
        readonly path?:
          | ReadonlyArray<
              | PropertyKey
              | {
                  /** The key. */
                  readonly key: PropertyKey;
                }
            >
          | undefined;
      }>;
    };

/** The output type of a {@link StandardSchema}. */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

/** How a text was repaired: the last strategy in this order that was needed. See {@link repairJson}. */
export type RepairStrategy =
  | "direct"
  | "fence"
  | "extracted"
  | "trailing-commas"
  | "single-quotes"
  | "python-literals"
  | "string-escapes"
  | "unquoted-text"
  | "missing-commas"
  | "comments"
  | "missing-closers";

/** The result of {@link repairJson}. */
export interface RepairedJson {
  /** The value. */
  value: unknown;
  /** Its JSON text. */
  json: string;
  /** The repair that was needed. */
  repair: RepairStrategy;
  /** `truncated` if closing brackets or quotes were missing, so that the value may be incomplete. */
  status: "complete" | "truncated";
}

/**
 * Repairs text that is nearly JSON: JSON in a code fence or in prose, with trailing commas, single quotes, Python
 * literals, line breaks in strings and the like, or without its end. It never changes a number.
 *
 * @throws {@link OutputParseError} `invalid-json` if the text can't be repaired
 *
 * @example
 * ```ts
 * import { repairJson } from "respool";
 *
 * const { value, repair, status } = repairJson("Sure: {'port': 'Bodø', 'open': True}");
 * console.log(value, repair, status); // → { port: 'Bodø', open: true } python-literals complete
 * ```
 */
export function repairJson(text: string): RepairedJson;

/** The answer of a model, for an agent. */
export interface AgentOutput<U = Usage> {
  /** The text; `""` if there is none. */
  text: string;
  /** The tool calls. */
  toolCalls: ToolCall[];
  /** The usage, unchanged. */
  usage: U | undefined;
}

/**
 * Renames the fields of an answer for agents. It parses nothing: see {@link parseToolArguments} and
 * {@link parseStructuredOutput}.
 *
 * @throws {@link RespoolError} `invalid-option`
 *
 * @example
 * ```ts
 * import { parseResponse } from "respool";
 *
 * const output = parseResponse({ content: "At 9:35.", toolCalls: [], usage: { promptTokens: 12 } });
 * console.log(output.text, output.usage); // → At 9:35. { promptTokens: 12 }
 * ```
 */
export function parseResponse<U = Usage>(response: {
  content?: string | null | undefined;
  toolCalls?: readonly ToolCall[] | null | undefined;
  usage?: U | undefined;
}): AgentOutput<U>;

/** A call that is ready to run. */
export interface ActionModel {
  /** The id of the call. */
  toolCallId: string;
  /** The name of the tool. */
  toolName: string;
  /** The parsed arguments. */
  arguments: Record<string, unknown>;
}

/** A call whose arguments were repaired if necessary. */
export interface RepairedAction extends ActionModel {
  /** The repair that was needed; `double-encoded` for arguments whose JSON was inside a JSON string. */
  repair: RepairStrategy | "double-encoded";
  /** `truncated` arguments are incomplete: don't run the call without checking it. */
  status: "complete" | "truncated";
}

/**
 * A tool call as {@link process} or a stream returns it, as {@link decode} returns it (with parsed arguments), or as a
 * provider sends it.
 */
export type CallToParse =
  | {
      /** The id of the call. If it is missing, as in Workers AI, an id is generated. */
      id?: string | null;
      /** The name of the tool. */
      name: string;
      /** JSON text, or the parsed object. */
      arguments: unknown;
    }
  | {
      /** The provider's type of the call. */
      type?: string;
      /** The id of the call, in chat completions. Ollama sends none. */
      id?: string | null;
      /** The tool, in chat completions. */
      function: {
        /** The name of the tool. */
        name: string;
        /** JSON text. */
        arguments: unknown;
      };
    }
  | {
      /** The provider's type of the call. */
      type?: string;
      /** The id of the call, in chat completions. */
      id?: string | null;
      /** The custom tool, in chat completions. Its input is plain text, so parsing it throws an error that says so. */
      custom: {
        /** The name of the tool. */
        name: string;
        /** Any text. */
        input: string;
      };
    }
  | {
      /** The provider's type of the call. */
      type?: string;
      /** The id of the call, in Anthropic Messages. */
      id: string;
      /** The name of the tool. */
      name: string;
      /** The arguments as an object. */
      input: unknown;
    }
  | {
      /** The id of the call, in Gemini, which may omit it. */
      id?: string;
      /** The name of the tool. Gemini's SDK declares it as optional; a call without a name is an error. */
      name?: string;
      /** The arguments as an object. Default `{}`. */
      args?: Record<string, unknown>;
    }
  | {
      /** The type of the call, if the provider ran the tool itself. */
      type?: string;
      /** The id of the call, in Bedrock. */
      toolUseId: string;
      /** The name of the tool. */
      name: string;
      /** The arguments as an object. */
      input: unknown;
    }
  | {
      /** The call, in a content block of Bedrock. */
      toolUse: {
        /** The id of the call. */
        toolUseId: string;
        /** The name of the tool. */
        name: string;
        /** The arguments as an object. */
        input: unknown;
      };
    }
  | {
      /** The id of the call, in Gemini: only newer models send one. */
      id?: string;
      /** The name of the tool. */
      name: string;
      /** The arguments as an object. */
      args: unknown;
    }
  | {
      /** The provider's type of the call. */
      type?: string;
      /** The id of the item. */
      id?: string | null;
      /** The id of the call, in Responses. */
      call_id: string;
      /** The name of the tool. */
      name: string;
      /** JSON text. */
      arguments: unknown;
    };

/**
 * Parses the arguments of tool calls. Empty arguments become `{}`. The last value of a duplicate name wins, and
 * `__proto__` is an ordinary name.
 *
 * @param options - with `repair`, arguments that are nearly JSON are parsed as by {@link repairJson}, and each result
 * names the repair
 * @throws {@link OutputParseError} `invalid-json`, `not-an-object` if the arguments are any other JSON, or
 * `not-a-tool-call`
 *
 * @example
 * ```ts
 * import { parseToolArguments } from "respool";
 *
 * const [action] = parseToolArguments([{ id: "call_1", name: "tide", arguments: '{"port":"Bodø"}' }]);
 * console.log(action?.toolName, action?.arguments.port); // → tide Bodø
 * ```
 */
export function parseToolArguments(toolCalls: readonly CallToParse[], options: { repair: true }): RepairedAction[];
export function parseToolArguments(toolCalls: readonly CallToParse[], options?: { repair?: boolean }): ActionModel[];

/** Options of {@link parseStructuredOutput}. */
export interface StructuredOutputOptions {
  /** Whether to parse text that is nearly JSON as {@link repairJson} does. Truncated text is still an error. */
  repair?: boolean;
}

/**
 * Parses JSON text and validates the value: with a schema of any library that implements the Standard Schema (zod,
 * valibot, arktype …), or with a function that returns the value or throws.
 *
 * @throws {@link OutputParseError} `invalid-json`; `truncated-json` for a repaired text; `invalid-output` with the `issues`
 * of the validator
 * @throws {@link RespoolError} `invalid-option` for any other validator, and for one that returns a promise
 *
 * @example
 * ```ts
 * import { parseStructuredOutput } from "respool";
 * import { z } from "zod";
 *
 * const Report = z.object({ city: z.string(), temperature: z.number() });
 * const report = parseStructuredOutput('{"city": "Bodø", "temperature": 4.5}', Report);
 * console.log(report.temperature + 1); // → 5.5
 * ```
 */
export function parseStructuredOutput<Schema extends StandardSchema>(
  text: string,
  schema: Schema,
  options?: StructuredOutputOptions,
): SchemaOutput<Schema>;
export function parseStructuredOutput<T>(text: string, validator: (value: unknown) => T, options?: StructuredOutputOptions): T;
export function parseStructuredOutput(text: string, schema?: undefined, options?: StructuredOutputOptions): unknown;

/** Options of {@link parseStructuredOutputAsync}. */
export interface StructuredOutputAsyncOptions extends StructuredOutputOptions {
  /** Stops waiting: the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/**
 * Like {@link parseStructuredOutput}, for asynchronous validators and pending text.
 *
 * @example
 * ```ts
 * import { parseStructuredOutputAsync } from "respool";
 * import { z } from "zod";
 *
 * const Port = z.object({ port: z.string().refine(async (name) => name !== "Atlantis", "there is no such port") });
 * try {
 *   await parseStructuredOutputAsync('{"port": "Atlantis"}', Port);
 * } catch (error) {
 *   console.log((error as Error).message); // → The output doesn't match the schema: port: there is no such port
 * }
 * ```
 */
export function parseStructuredOutputAsync<Schema extends StandardSchema>(
  text: string | PromiseLike<string>,
  schema: Schema,
  options?: StructuredOutputAsyncOptions,
): Promise<SchemaOutput<Schema>>;
export function parseStructuredOutputAsync<T>(
  text: string | PromiseLike<string>,
  validator: (value: unknown) => T | PromiseLike<T>,
  options?: StructuredOutputAsyncOptions,
): Promise<T>;
export function parseStructuredOutputAsync(
  text: string | PromiseLike<string>,
  schema?: undefined,
  options?: StructuredOutputAsyncOptions,
): Promise<unknown>;

/**
 * Validates a result of {@link process}. Text and structured output are parsed again from the JSON text of the model.
 * Functions also receive this text: it has all digits of numbers that JavaScript can't represent. Any other result is
 * validated unchanged.
 *
 * @throws {@link OutputParseError} as {@link parseStructuredOutput}
 *
 * @example
 * ```ts
 * import { cast, processResponse } from "respool";
 *
 * const body = { choices: [{ message: { content: '{"id": 90071992547409931}' } }] };
 * const result = processResponse({ outputs: ["id"] }, body);
 * console.log(cast(result, (_, json) => BigInt(/\d+/.exec(json ?? "")![0]))); // → 90071992547409931n
 * ```
 */
export function cast<Schema extends StandardSchema>(result: unknown, schema: Schema): SchemaOutput<Schema>;
export function cast<T>(result: unknown, validator: (value: unknown, json?: string) => T): T;
export function cast(result: unknown, validator?: undefined): unknown;

/**
 * Like {@link cast}, for asynchronous validators and pending results.
 *
 * @param options - with `signal`, the promise rejects with its reason once it is aborted
 * @throws {@link OutputParseError} as {@link parseStructuredOutput}
 *
 * @example
 * ```ts
 * import { castAsync, processAsync } from "respool";
 *
 * const result = processAsync({ outputs: ["port"] }, Promise.resolve({ choices: [{ message: { content: '{"port": "Bodø"}' } }] }));
 * const isKnown = async (value: unknown) => ["Bodø", "Skjervøy"].includes((value as { port: string }).port);
 * console.log(await castAsync(result, isKnown)); // → true
 * ```
 */
export function castAsync<Schema extends StandardSchema>(
  result: unknown,
  schema: Schema,
  options?: { signal?: AbortSignal },
): Promise<SchemaOutput<Schema>>;
export function castAsync<T>(
  result: unknown,
  validator: (value: unknown, json?: string) => T | PromiseLike<T>,
  options?: { signal?: AbortSignal },
): Promise<T>;
export function castAsync(result: unknown, validator?: undefined, options?: { signal?: AbortSignal }): Promise<unknown>;
