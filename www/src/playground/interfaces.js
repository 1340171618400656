// The APIs that the playground supports: URL, headers and request body for each.
import { asObject, asString, messageOf } from "../capture/values.js";

/** @typedef {"openai-chat" | "openai-responses" | "anthropic-messages" | "gemini" | "gemini-interactions"} PlaygroundApi */

/**
 * The form as filled in.
 * @typedef {object} PlaygroundForm
 * @property {PlaygroundApi} api
 * @property {string} base
 * @property {string} key
 * @property {string} model
 * @property {string} prompt
 * @property {string} tools
 * @property {string} maxTokens
 */

/**
 * @typedef {object} PlaygroundRequest
 * @property {string} url
 * @property {string} method
 * @property {Record<string, string>} headers
 * @property {string} body
 */

/** @typedef {{ model: string, prompt: string, tools: unknown[], maxTokens: number | undefined }} Question */

/**
 * @typedef {object} Interface
 * @property {string} title
 * @property {string} base the default base URL
 * @property {(model: string) => string} path
 * @property {(key: string) => Record<string, string>} headers
 * @property {(question: Question) => object} body
 */

const json = { "content-type": "application/json" };

/** @param {string} key @returns {Record<string, string>} */
const bearer = (key) => ({ ...json, ...(key === "" ? {} : { authorization: `Bearer ${key}` }) });

/** @type {Record<PlaygroundApi, Interface>} */
export const INTERFACES = {
  "openai-chat": {
    title: "Chat completions (OpenAI-compatible)",
    base: "http://localhost:11434/v1",
    path: () => "/chat/completions",
    headers: bearer,
    body: ({ model, prompt, tools, maxTokens }) => ({
      model,
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: "user", content: prompt }],
      ...(maxTokens ? { max_tokens: maxTokens } : {}),
      ...(tools.length > 0 ? { tools: tools.map((tool) => ({ type: "function", function: definitionOf(tool) })) } : {}),
    }),
  },
  "openai-responses": {
    title: "Responses (OpenAI)",
    base: "https://api.openai.com/v1",
    path: () => "/responses",
    headers: bearer,
    body: ({ model, prompt, tools, maxTokens }) => ({
      model,
      stream: true,
      input: prompt,
      ...(maxTokens ? { max_output_tokens: maxTokens } : {}),
      ...(tools.length > 0 ? { tools: tools.map((tool) => ({ type: "function", ...definitionOf(tool) })) } : {}),
    }),
  },
  "anthropic-messages": {
    title: "Messages (Anthropic)",
    base: "https://api.anthropic.com/v1",
    path: () => "/messages",
    headers: (key) => ({
      ...json,
      ...(key === "" ? {} : { "x-api-key": key }),
      "anthropic-version": "2023-06-01",
      "anthropic-dangerous-direct-browser-access": "true",
    }),
    body: ({ model, prompt, tools, maxTokens }) => ({
      model,
      stream: true,
      max_tokens: maxTokens || 1024,
      messages: [{ role: "user", content: prompt }],
      ...(tools.length > 0 ? { tools: tools.map(asAnthropic) } : {}),
    }),
  },
  gemini: {
    title: "Gemini (Google)",
    base: "https://generativelanguage.googleapis.com/v1beta",
    path: (model) => `/models/${encodeURIComponent(model.replace(/^models\//, ""))}:streamGenerateContent?alt=sse`,
    headers: (key) => ({ ...json, ...(key === "" ? {} : { "x-goog-api-key": key }) }),
    body: ({ prompt, tools, maxTokens }) => ({
      contents: [{ role: "user", parts: [{ text: prompt }] }],
      ...(maxTokens ? { generationConfig: { maxOutputTokens: maxTokens } } : {}),
      ...(tools.length > 0 ? { tools: [{ functionDeclarations: tools.map(asGemini) }] } : {}),
    }),
  },
  "gemini-interactions": {
    title: "Interactions (Google)",
    base: "https://generativelanguage.googleapis.com/v1beta",
    path: () => "/interactions",
    headers: (key) => ({ ...json, ...(key === "" ? {} : { "x-goog-api-key": key }) }),
    body: ({ model, prompt, tools, maxTokens }) => ({
      model,
      stream: true,
      input: prompt,
      ...(maxTokens ? { generation_config: { max_output_tokens: maxTokens } } : {}),
      ...(tools.length > 0 ? { tools: tools.map((tool) => ({ type: "function", ...definitionOf(tool) })) } : {}),
    }),
  },
};

/** The parts of a tool definition in the format of any provider. @param {unknown} tool */
function definitionOf(tool) {
  const { name, description, parameters, input_schema, parametersJsonSchema: schema = input_schema } = functionOf(tool);
  return {
    name,
    ...(description ? { description } : {}),
    parameters: parameters ?? schema ?? { type: "object", properties: {} },
  };
}

/** Chat completions nest the definition. @param {unknown} tool */
const functionOf = (tool) => asObject(asObject(tool).function ?? tool);

/** @param {unknown} tool */
function asAnthropic(tool) {
  const { parameters, ...rest } = definitionOf(tool);
  return { ...rest, input_schema: parameters };
}

/** @param {unknown} tool */
function asGemini(tool) {
  const { parameters, ...rest } = definitionOf(tool);
  return { ...rest, parametersJsonSchema: parameters };
}

/** The first problem with the form, or undefined if it is valid. @param {PlaygroundForm} form */
export function problemWith({ base, model, prompt, tools }) {
  if (!/^https?:\/\/[^/]/i.test(base.trim())) return "The base URL must start with http:// or https://.";
  if (model.trim() === "") return "Enter a model.";
  if (prompt.trim() === "") return "Enter a prompt.";
  return problemWithTools(tools);
}

/** @param {string} text */
function problemWithTools(text) {
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

/** @param {PlaygroundForm} form @returns {PlaygroundRequest} */
export function requestOf({ api, base, key, model, prompt, tools, maxTokens }) {
  const { path, headers, body } = INTERFACES[api];
  const question = {
    model: model.trim(),
    prompt,
    tools: tools.trim() === "" ? [] : JSON.parse(tools),
    maxTokens: Number(maxTokens) || undefined,
  };
  return {
    url: base.trim().replace(/\/+$/, "") + path(question.model),
    method: "POST",
    headers: headers(key.trim()),
    body: JSON.stringify(body(question)),
  };
}
