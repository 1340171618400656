import type { JsonSchemaObject, JsonSchemaValue } from "./json_schema.js";
import type { SchemaOutput, StandardSchema } from "./outputs.js";
import type { ToolContext, ToolResult } from "./runner.js";

/** The parameters of a tool: a JSON Schema, or a schema of zod, valibot, arktype or another Standard Schema. */
export type ToolParameters = JsonSchemaObject | StandardSchema;

/** The type of a tool's arguments: what a Standard Schema returns, or what matches a JSON Schema. */
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
 * A tool for {@link runRequest}, as {@link tool} returns it. Call it to run it with arguments that are validated first.
 * `Tool` without parameters holds any tool, so `Record<string, Tool>` takes them all.
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
