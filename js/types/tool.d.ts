import type { ToolCall } from "../../pkg/wasm/respool.js";
import type { JsonSchemaObject, JsonSchemaValue } from "./json_schema.js";
import type { SchemaOutput, StandardSchema } from "./outputs.js";

/**
 * A tool's result in the form of MCP: several parts, images, or an error for the model. An object with other members is
 * sent as JSON.
 */
export interface ToolContent {
  /**
   * The parts. Of an embedded `resource`, the text or image is sent; a `resource_link` is sent as JSON. Only Google's
   * interfaces accept `audio`. Other parts are sent unchanged.
   */
  content: (
    | {
        /** Text. */
        type: "text";
        /** The text. */
        text: string;
      }
    | {
        /** An image. */
        type: "image";
        /** The bytes in base64. */
        data: string;
        /** The media type, for example `"image/png"`. */
        mimeType: string;
      }
    | {
        /** Any other part. */
        type: string;
        [member: string]: unknown;
      }
  )[];
  /** Whether the result is an error. Default `false`. */
  isError?: boolean;
  /** The result as a value. It is sent only if there are no parts. */
  structuredContent?: unknown;
}

/**
 * A tool's result: text, {@link ToolContent}, an `Error` for the model, or any other value, which is sent as JSON. For the
 * tools that Responses defines (`shell`, `apply_patch`, `computer` …), an object's fields become fields of the output item.
 */
export type ToolResult = unknown;

/** The second argument of a {@link ToolHandler}. */
export interface ToolContext {
  /** Fires when the request is cancelled, the tool times out, or another tool's failure ends the request. */
  signal: AbortSignal;
  /** The call. Its `arguments` are the text as the model wrote it, with all digits of large numbers. */
  toolCall: ToolCall;
  /**
   * The call's output item, if Responses sent one. It has fields that aren't part of the arguments: the
   * `pending_safety_checks` of a `computer_call`, the `namespace` of a function.
   */
  outputItem?: Record<string, unknown>;
}

/**
 * Runs a tool. `args` are the parsed arguments; you can declare their type. A custom tool of OpenAI receives its text
 * instead: declare the parameter as `unknown`.
 */
export type ToolHandler = {
  /** Runs the tool. */
  run(args: Record<string, unknown>, context: ToolContext): ToolResult | PromiseLike<ToolResult>;
}["run"];

/** The parameters of a tool: a JSON Schema, or a schema of zod, valibot, arktype or another Standard Schema. */
export type ToolParameters = JsonSchemaObject | StandardSchema;

/** The type of a tool's arguments: the output of a Standard Schema, or the values that match a JSON Schema. */
export type ToolArguments<Parameters> = Parameters extends StandardSchema
  ? SchemaOutput<Parameters>
  : unknown extends JsonSchemaValue<Parameters>
    ? Record<string, unknown>
    : JsonSchemaValue<Parameters>;

/** Options of {@link tool}. */
export interface ToolOptions<Parameters, Result = ToolResult> {
  /** What the tool does and when to use it, for the model. */
  description?: string;
  /**
   * The arguments: a JSON Schema of an object, or a Standard Schema that provides its JSON Schema, as zod 4.2 and
   * arktype 2.1.28 do. Wrap a schema of valibot with `toStandardJsonSchema` from `@valibot/to-json-schema`. Default: an
   * object with any properties.
   */
  parameters?: Parameters;
  /** The JSON Schema for the model, if a Standard Schema in `parameters` doesn't provide it. */
  jsonSchema?: JsonSchemaObject;
  /**
   * Whether the provider should make the arguments match exactly, if it can. Default `false`. Object schemas without
   * `additionalProperties` are then sent with `false`.
   */
  strict?: boolean;
  /** Runs the tool with valid arguments. An exit tool needs none. */
  execute?: (args: ToolArguments<Parameters>, context: ToolContext) => Result;
}

/**
 * A tool for {@link runRequest}, as {@link tool} returns it. Calling it validates the arguments and runs the tool.
 * `Tool` without type parameters is the type of any tool, so a `Record<string, Tool>` accepts all of them.
 */
export interface Tool<Arguments = never, Result = ToolResult> {
  /** @throws {@link OutputParseError} `invalid-output` if the arguments don't match the parameters */
  (args: unknown, context: ToolContext): Promise<Awaited<Result>>;
  /** What the tool does, for the model. */
  readonly description?: string;
  /** The JSON Schema of the arguments, for the model. */
  readonly parameters: Record<string, unknown>;
  /** The function that was passed. */
  readonly execute?: (args: Arguments, context: ToolContext) => Result;
}

/**
 * Defines a tool once: its definition for the model, in the form of the request's interface, and the function that runs it.
 * The arguments are validated before the function is called, and their type is inferred from the schema.
 *
 * A JSON Schema may have all keywords of draft 2020-12 except `unevaluatedItems`, `unevaluatedProperties` and
 * `$dynamicRef`; `$ref` points into the schema, and `format` isn't checked.
 *
 * @throws {@link RespoolError} `invalid-option` if the schema is invalid or doesn't describe an object, or if a
 * Standard Schema doesn't provide its JSON Schema
 *
 * @example
 * ```ts
 * import { runRequest, tool } from "respool";
 *
 * const answers = [
 *   { choices: [{ delta: { tool_calls: [{ id: "a", function: { name: "tide", arguments: '{"port":"Bodø"}' } }] }, finish_reason: "tool_calls" }] },
 *   { choices: [{ delta: { content: "High tide is at 9:35." }, finish_reason: "stop" }] },
 * ];
 * const tide = tool({
 *   description: "The next high tide in a port",
 *   parameters: { type: "object", properties: { port: { type: "string" } }, required: ["port"] },
 *   execute: ({ port }) => `${port.toUpperCase()}: 9:35`,
 * });
 * const request = runRequest({
 *   transport: () => [answers.shift()!],
 *   messages: [{ role: "user", content: "When is high tide in Bodø?" }],
 *   tools: { tide },
 * });
 * const { finalText, steps } = await request.result();
 * console.log(steps[0]?.toolResults[0]?.result, "–", finalText); // → BODØ: 9:35 – High tide is at 9:35.
 * ```
 */
export function tool<const Parameters extends ToolParameters = JsonSchemaObject, Result = ToolResult>(
  options: ToolOptions<Parameters, Result>,
): Tool<ToolArguments<Parameters>, Result>;
