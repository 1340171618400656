// Converts tool definitions from the form of any provider to that of another.
import { asObject, asString, messageOf } from "../capture/values.js";

/** Returns the parts of a tool definition in the form of any provider. @param {unknown} tool */
export function definitionOf(tool) {
  const { name, description, parameters, input_schema, parametersJsonSchema: schema = input_schema } = functionOf(tool);
  return {
    name,
    ...(description ? { description } : {}),
    parameters: parameters ?? schema ?? { type: "object", properties: {} },
  };
}

/** Returns the definition itself, which chat completions nest. @param {unknown} tool */
const functionOf = (tool) => asObject(asObject(tool).function ?? tool);

/** @param {unknown} tool */
export function asAnthropic(tool) {
  const { parameters, ...rest } = definitionOf(tool);
  return { ...rest, input_schema: parameters };
}

/** @param {unknown} tool */
export function asGemini(tool) {
  const { parameters, ...rest } = definitionOf(tool);
  return { ...rest, parametersJsonSchema: parameters };
}

/** @param {unknown} tool */
export function asBedrock(tool) {
  const { parameters, ...rest } = definitionOf(tool);
  return { toolSpec: { ...rest, inputSchema: { json: parameters } } };
}

/** @param {string} text @returns {string | undefined} the problem with the definitions */
export function problemWithTools(text) {
  if (text.trim() === "") return undefined;
  let tools;
  try {
    tools = JSON.parse(text);
  } catch (error) {
    return `The tools aren't valid JSON: ${messageOf(error)}`;
  }
  if (!Array.isArray(tools)) return "The tools must be a JSON array of definitions.";
  const nameless = tools.findIndex((tool) => asString(functionOf(tool).name) === undefined);
  return nameless < 0 ? undefined : `Tool ${nameless + 1} has no name.`;
}
