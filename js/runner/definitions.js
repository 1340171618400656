/** The definitions of a request's tools: those that the caller wrote, and those that `tool` creates. */

/** @import { ToolHandler } from "../types/api.js" */
/** @import { Json } from "./messages/response.js" */

import { checked } from "../checked.js";
import { closed } from "../json_schema/closed.js";
import { requestFormat } from "./messages/format.js";
import { partsOf } from "./tool.js";

/**
 * A definition in any form.
 *
 * @typedef {object} Definition
 * @property {string} [name]
 * @property {string} [type]
 * @property {{ name?: string }} [function]
 * @property {{ name?: string }} [custom]
 * @property {{ name?: string }[]} [functionDeclarations] one, after Gemini's definitions are split
 * @property {{ name?: string }} [toolSpec]
 */

/**
 * Returns the name of the tool that a definition is for. A tool that an interface defines itself is named by its type.
 *
 * @param {Definition | undefined} definition
 */
const nameOf = (definition) =>
  definition?.function?.name ??
  definition?.custom?.name ??
  definition?.functionDeclarations?.[0]?.name ??
  definition?.toolSpec?.name ??
  definition?.name ??
  definition?.type?.replace(/_use_preview$/, "");

/**
 * Returns the parameters to send: OpenAI rejects those without `properties`, and `strict` with objects that allow other
 * properties.
 *
 * @param {Record<string, unknown>} parameters
 * @param {boolean} isStrict
 */
function sentParameters(parameters, isStrict) {
  const sent = { type: "object", properties: {}, ...parameters };
  return isStrict ? closed(sent) : sent;
}

/**
 * Collects the tools of a request. `definitions` are sent to the model; `toolDefinitions` take precedence over others
 * with the same name. `textTools` are the tools that text may call, including the `undefinedTools`, which have only a
 * handler or are exit tools.
 */
export const definitionsFor = checked(
  /**
   * @param {unknown} api
   * @param {{
   *   tools: Record<string, ToolHandler>,
   *   exitTools: readonly string[],
   *   toolDefinitions: readonly Definition[],
   *   params: { tools?: unknown, toolConfig?: { tools?: unknown } } | undefined,
   * }} options
   */
  (api, { tools, exitTools, toolDefinitions, params }) => {
    const { split, join, toolConfig, takesStrict, definition: format } = requestFormat(api);
    const parted = (/** @type {readonly Definition[]} */ list) =>
      list.flatMap((each) => /** @type {Definition[]} */ (split(/** @type {Json} */ (each))));
    const first = parted(toolDefinitions);
    const given = toolConfig ? params?.toolConfig : params;
    const others = parted(Array.isArray(given?.tools) ? given.tools : []);
    const names = new Set(first.map(nameOf));
    // A tool of the provider may have no name.
    names.delete(undefined);
    const written = [...first, ...others.filter((definition) => !names.has(nameOf(definition)))];
    for (const definition of written) names.add(nameOf(definition));
    /** @type {Definition[]} */
    const made = Object.entries(tools).flatMap(([name, handler]) => {
      const parts = names.has(name) ? undefined : partsOf(handler);
      if (!parts) return [];
      const isStrict = parts.isStrict && takesStrict;
      return [format({ ...parts, name, isStrict, parameters: sentParameters(parts.parameters, isStrict) })];
    });
    for (const definition of made) names.add(nameOf(definition));
    const undefinedTools = [...new Set([...Object.keys(tools), ...exitTools])].filter((name) => !names.has(name));
    const all = /** @type {Json[]} */ ([...written, ...made]);
    const named = undefinedTools.map((name) => ({ name }));
    return { definitions: join(all), undefinedTools, textTools: [...all, ...named] };
  },
  "the tools",
);
