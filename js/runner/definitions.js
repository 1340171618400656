/** The definitions of a request's tools: those that the caller wrote, and those of the tools that `tool` made. */

/** @import { ToolHandler } from "../types/api.js" */

import { checked } from "../checked.js";
import { formatDefinition } from "./messages/format.js";
import { partsOf } from "./tool.js";

/** @typedef {{ name?: string, type?: string, function?: { name?: string }, custom?: { name?: string } }} Definition in any form */

/**
 * The name of the tool that a definition is for. A tool that an interface defines itself is called by its type.
 *
 * @param {Definition | undefined} definition
 */
const nameOf = (definition) =>
  definition?.function?.name ?? definition?.custom?.name ?? definition?.name ?? definition?.type?.replace(/_use_preview$/, "");

/**
 * `definitions` are sent to the model; of two for one tool only the first, from `toolDefinitions`. `textTools` are the tools that
 * text may call: also those that only have a handler, or only end the request. They are the `undefinedTools`.
 */
export const definitionsFor = checked(
  /**
   * @param {unknown} api
   * @param {{
   *   tools: Record<string, ToolHandler>,
   *   exitTools: readonly string[],
   *   toolDefinitions: readonly Definition[],
   *   params: { tools?: unknown } | undefined,
   * }} options
   */
  (api, { tools, exitTools, toolDefinitions, params }) => {
    /** @type {readonly Definition[]} */
    const others = Array.isArray(params?.tools) ? params.tools : [];
    const names = new Set(toolDefinitions.map(nameOf));
    const written = [...toolDefinitions, ...others.filter((definition) => !names.has(nameOf(definition)))];
    for (const definition of written) names.add(nameOf(definition));
    /** @type {Definition[]} */
    const made = Object.entries(tools).flatMap(([name, handler]) => {
      const parts = names.has(name) ? undefined : partsOf(handler);
      return parts ? [formatDefinition(api, { ...parts, name })] : [];
    });
    for (const definition of made) names.add(nameOf(definition));
    const undefinedTools = [...new Set([...Object.keys(tools), ...exitTools])].filter((name) => !names.has(name));
    /** @type {object[]} */
    const definitions = [...written, ...made];
    return { definitions, undefinedTools, textTools: [...definitions, ...undefinedTools.map((name) => ({ name }))] };
  },
  "the tools",
);
