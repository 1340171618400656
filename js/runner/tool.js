/** Tools with a definition: their parameters, the validation of arguments, and the function that runs them. */

/** @import { OutputIssue, StandardSchema, ToolCall, ToolContext, ToolOptions } from "../types/api.js" */
/** @import { Schema } from "../json_schema/schema.js" */

import { isThenable } from "../abort.js";
import { checked } from "../checked.js";
import { messageOf, OutputParseError, RespoolError } from "../errors.js";
import { isObject, OpenSchema } from "../json_schema/schema.js";
import { issuesOf } from "../json_schema/validate.js";
import { isSet, openOptions, readFunction, readSwitch, refuse, refuseValue } from "../read_option.js";
import { issuesText, validate } from "../outputs/validate.js";

/** A shared symbol, so that two copies of the package in one program recognise each other's tools. */
const TOOL = Symbol.for("respool.tool");

/**
 * The parts of a tool.
 *
 * @typedef {object} ToolParts
 * @property {string | undefined} description
 * @property {Record<string, unknown>} parameters the JSON Schema for the model
 * @property {boolean} isStrict
 * @property {(args: unknown) => unknown} validate returns the valid arguments or a promise of them, or throws
 * @property {((args: never, context: ToolContext) => unknown) | undefined} execute
 */

const OPTIONS = ["description", "parameters", "jsonSchema", "strict", "execute"];

const TARGET = "draft-2020-12";

/**
 * @param {unknown} parameters
 * @returns {Partial<StandardSchema["~standard"]> & { jsonSchema?: { input?: (options: object) => unknown } } | undefined}
 */
const standardOf = (parameters) => /** @type {Partial<StandardSchema>} */ (parameters)["~standard"];

/**
 * Returns the JSON Schema of a Standard Schema.
 *
 * @param {NonNullable<ReturnType<typeof standardOf>>} standard
 */
function jsonSchemaOf({ vendor, jsonSchema }) {
  const way =
    vendor === "valibot"
      ? "wrap it with toStandardJsonSchema from @valibot/to-json-schema, or pass it"
      : "use a newer version of the library, or pass it";
  if (typeof jsonSchema?.input !== "function") {
    return refuse(`The schema of ${vendor} in options.parameters can't tell its JSON Schema: ${way} as options.jsonSchema`);
  }
  try {
    return jsonSchema.input({ target: TARGET });
  } catch (error) {
    return refuse(`options.parameters has no JSON Schema: ${messageOf(error)}; pass it as options.jsonSchema`);
  }
}

/**
 * Reads the JSON Schema for the model, which must describe an object.
 *
 * @param {unknown} schema
 * @param {string} path
 */
function readSchema(schema, path) {
  if (!isObject(schema)) return refuseValue(path, "a JSON Schema or a Standard Schema", schema);
  const { $schema: _, ...parameters } = schema; // some servers reject it
  if (parameters.type !== undefined && ![parameters.type].flat().includes("object")) {
    refuseValue(`${path}.type`, '"object", because the arguments are always an object', parameters.type);
  }
  return parameters;
}

/**
 * @param {Record<string, unknown>} parameters
 * @returns {(args: unknown) => unknown}
 */
function validatorOf(parameters) {
  const schema = new OpenSchema(/** @type {Schema} */ (parameters), "options.parameters");
  return (args) => {
    const issues = issuesOf(schema, args);
    if (issues.length > 0) throw invalidArguments(issues);
    return args;
  };
}

/**
 * @param {readonly OutputIssue[]} issues
 * @param {ToolCall} [call]
 * @param {unknown} [cause]
 */
function invalidArguments(issues, call, cause) {
  const subject = call ? `The arguments of tool '${call.name}'` : "The arguments";
  const message = `${subject} don't match its parameters: ${issuesText(issues)}`;
  return new OutputParseError("invalid-output", message, { issues, cause, toolName: call?.name, toolCallId: call?.id });
}

const readParts = checked((/** @type {ToolOptions<object, unknown>} */ given) => {
  const { description, parameters, jsonSchema, strict, execute } = openOptions(given, "options", OPTIONS);
  if (isSet(description) && typeof description !== "string") refuseValue("options.description", "a text", description);
  const standard = isSet(parameters) ? standardOf(parameters) : undefined;
  if (isSet(jsonSchema) && !standard) refuse("options.jsonSchema goes with a Standard Schema in options.parameters");
  const givenSchema = standard ? (jsonSchema ?? jsonSchemaOf(standard)) : (parameters ?? { type: "object" });
  const schema = readSchema(givenSchema, isSet(jsonSchema) ? "options.jsonSchema" : "options.parameters");
  return {
    description: description ?? undefined,
    parameters: schema,
    isStrict: readSwitch(strict, "options.strict", false),
    validate: standard
      ? (/** @type {unknown} */ args) => validate(/** @type {StandardSchema} */ (/** @type {unknown} */ (parameters)), args)
      : validatorOf(schema),
    execute: readFunction(execute, "options.execute"),
  };
}, "The options");

/** @type {typeof import("../types/api.js").tool} */
export const tool = (options) => {
  const parts = readParts(/** @type {ToolOptions<object, unknown>} */ (/** @type {unknown} */ (options)));
  /** @type {(args: unknown, context: ToolContext) => Promise<unknown>} */
  const handler = async (args, context) => execute(parts, await validArguments(parts, args, context?.toolCall), context);
  const { description, parameters, execute: run } = parts;
  Object.assign(handler, { ...(description !== undefined && { description }), parameters, ...(run && { execute: run }) });
  Object.defineProperty(handler, TOOL, { value: parts });
  return /** @type {never} */ (handler);
};

/**
 * Returns the parts of a handler that `tool` created.
 *
 * @param {unknown} handler
 * @returns {ToolParts | undefined}
 */
export const partsOf = (handler) => /** @type {{ [TOOL]?: ToolParts }} */ (handler)[TOOL];

/**
 * Returns the arguments as the validator returns them.
 *
 * @param {ToolParts} parts
 * @param {unknown} args
 * @param {ToolCall} [call]
 * @returns {unknown} a promise if the validator is asynchronous
 * @throws {OutputParseError} if they don't match
 */
export function validArguments({ validate }, args, call) {
  /** @type {(error: unknown) => never} */
  const fail = (error) => {
    throw namedAfter(error, call);
  };
  try {
    const valid = validate(args);
    return isThenable(valid) ? valid.then(undefined, fail) : valid;
  } catch (error) {
    return fail(error);
  }
}

/**
 * Converts the error of a validator to one that names the tool and its arguments.
 *
 * @param {unknown} error
 * @param {ToolCall} [call]
 */
function namedAfter(error, call) {
  const { issues } = /** @type {{ issues?: OutputIssue[] }} */ (error ?? {});
  return invalidArguments(issues ?? [{ path: [], message: messageOf(error) }], call, error);
}

/**
 * @param {ToolParts} parts
 * @param {unknown} args
 * @param {ToolContext} context
 */
export function execute({ execute: run }, args, context) {
  if (run) return run(/** @type {never} */ (args), context);
  throw new RespoolError("invalid-option", "This tool has no options.execute");
}
