import type { ToolCall, Usage } from "../../pkg/wasm/respool.js";

/** A schema of a library that follows the Standard Schema, version 1: zod, valibot, arktype and others. */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** What the Standard Schema asks of a schema. */
  readonly "~standard": {
    /** The version of the Standard Schema. */
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    /** Checks a value, at once or later. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** For types alone: what goes in, and what comes out. */
    readonly types?:
      | {
          /** What goes in. */
          readonly input: Input;
          /** What comes out. */
          readonly output: Output;
        }
      | undefined;
  };
}

/** What a {@link StandardSchema} answers. */
export type StandardResult<Output> =
  /** The value fits. */
  | {
      /** The value, as the schema gives it. */
      readonly value: Output;
      /** There are none. */
      readonly issues?: undefined;
    }
  /** It does not. */
  | {
      /** In what it does not fit. */
      readonly issues: ReadonlyArray<{
        /** What does not fit, in the validator's words. */
        readonly message: string;
        /** Where in the value. */
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

/** The type that a {@link StandardSchema} gives. */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"];

/** What made JSON of a text: the last in this order of what it took. See {@link repairJson}. */
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

/** What {@link repairJson} gives. */
export interface RepairedJson {
  /** The value. */
  value: unknown;
  /** Its JSON text. */
  json: string;
  /** What it took. */
  repair: RepairStrategy;
  /** `truncated` where closers were missing: more may have been meant. */
  status: "complete" | "truncated";
}

/**
 * Makes JSON of a text that is nearly JSON: of a code fence or prose with JSON in it, of JSON with trailing commas, single
 * quotes, Python's literals, line breaks in strings and the like, or without its end. A number is never changed.
 *
 * @throws {@link OutputParseError} `invalid-json` where there is no JSON to be made of it
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

/** What a model has said, for an agent. */
export interface AgentOutput<U = Usage> {
  /** The text; `""` where there is none. */
  text: string;
  /** The tool calls. */
  toolCalls: ToolCall[];
  /** The usage, as it was given. */
  usage: U | undefined;
}

/**
 * Names the fields of a model's answer as agents do. Nothing is parsed: see {@link parseToolArguments} and
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
  content?: string | null;
  toolCalls?: ToolCall[] | null;
  usage?: U;
}): AgentOutput<U>;

/** A call that is ready to be run. */
export interface ActionModel {
  /** The id of the call. */
  toolCallId: string;
  /** The name of the tool. */
  toolName: string;
  /** The parsed arguments. */
  arguments: Record<string, unknown>;
}

/** A call whose arguments were repaired, if they had to be. */
export interface RepairedAction extends ActionModel {
  /** What it took; `double-encoded`: the JSON of the arguments stood in a JSON string. */
  repair: RepairStrategy | "double-encoded";
  /** Arguments that are `truncated` are not all that the model meant: do not run the call unseen. */
  status: "complete" | "truncated";
}

/** A tool call: of {@link process} and of streams, or, with arguments that were parsed already, of {@link decode}. */
export interface CallToParse {
  /** The id of the call. */
  id: string;
  /** The name of the tool. */
  name: string;
  /** JSON text, or the parsed object. */
  arguments?: unknown;
}

/**
 * Parses the arguments of tool calls. Empty arguments are `{}`. Of a name that comes twice the last value counts;
 * `__proto__` is a name like any other.
 *
 * @param options - with `repair`, arguments that are nearly JSON are parsed as {@link repairJson} does, and each result
 * says what it took
 * @throws {@link OutputParseError} `invalid-json`, or `not-an-object` where the arguments are any other JSON
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
  /** Whether text that is nearly JSON is parsed as {@link repairJson} does. What is truncated is an error all the same. */
  repair?: boolean;
}

/**
 * Parses text that is JSON, and lets a validator have the last word: a schema of any library that follows the Standard
 * Schema (zod, valibot, arktype …), or a function that gives the value to return, or throws.
 *
 * @throws {@link OutputParseError} `invalid-json`; `truncated-json` of a repaired text; `invalid-output` with the `issues`
 * of the validator
 * @throws {@link RespoolError} `invalid-option` for anything else, and for a validator that gives a promise
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
  /** Ends the waiting: the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/**
 * The same with a validator that may take its time, and for text that is still on its way.
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
 *   console.log((error as Error).message); // → The output does not fit the schema: port: there is no such port
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
 * Gives what {@link process} gave another type. Text, and what was structured output, is parsed anew from the JSON text
 * as the model wrote it, which functions get as well: they can read numbers in it that JavaScript does not hold.
 * Anything else goes to the validator as it is.
 *
 * @throws {@link OutputParseError} as {@link parseStructuredOutput}
 *
 * @example
 * ```ts
 * import { cast, process } from "respool";
 *
 * const body = { choices: [{ message: { content: '{"id": 90071992547409931}' } }] };
 * const result = process({ outputs: ["id"] }, body);
 * console.log(cast(result, (_, json) => BigInt(/\d+/.exec(json ?? "")![0]))); // → 90071992547409931n
 * ```
 */
export function cast<Schema extends StandardSchema>(result: unknown, schema: Schema): SchemaOutput<Schema>;
export function cast<T>(result: unknown, validator: (value: unknown, json?: string) => T): T;
export function cast(result: unknown, validator?: undefined): unknown;

/**
 * The same with a validator that may take its time, and for a result that is still on its way.
 *
 * @param options - `signal` ends the waiting: the promise rejects with its reason
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
