// The interfaces that the playground supports: URL, headers and request body of each.
import { asAnthropic, asBedrock, asGemini, definitionOf } from "./tools.js";

/** @import { PlaygroundForm, PlaygroundRequest } from "./form.js" */

/** @typedef {"openai-chat" | "openai-responses" | "anthropic-messages" | "gemini" | "gemini-interactions" | "bedrock-converse" | "ollama-chat" | "cohere-chat" | "workers-ai"} PlaygroundApi */

/**
 * @typedef {object} Question
 * @property {string} model
 * @property {string} system
 * @property {object[]} messages the conversation, in the interface's own form
 * @property {unknown[]} tools
 * @property {number | undefined} maxTokens
 */

/**
 * @typedef {object} Interface
 * @property {string} title
 * @property {string} base the default base URL
 * @property {(model: string) => string} path
 * @property {(key: string) => Record<string, string>} headers
 * @property {(prompt: string) => object} user returns the user's message
 * @property {(question: Question) => object} body
 * @property {string} [note] a note to the user
 */

const json = { "content-type": "application/json" };

/** @param {string} key @returns {Record<string, string>} */
const bearer = (key) => ({ ...json, ...(key === "" ? {} : { authorization: `Bearer ${key}` }) });
/** @param {string} key @returns {Record<string, string>} */
const googleKey = (key) => ({ ...json, ...(key === "" ? {} : { "x-goog-api-key": key }) });
/** @param {string} content */
const userMessage = (content) => ({ role: "user", content });
/** @param {Question} question */
const withSystem = ({ system, messages }) => (system === "" ? messages : [{ role: "system", content: system }, ...messages]);
/** @param {unknown[]} tools */
const asFunctions = (tools) =>
  tools.length > 0 ? { tools: tools.map((tool) => ({ type: "function", function: definitionOf(tool) })) } : {};
/** @param {unknown[]} tools */
const asFlatFunctions = (tools) =>
  tools.length > 0 ? { tools: tools.map((tool) => ({ type: "function", ...definitionOf(tool) })) } : {};
/** @param {Question} question @param {object} [others] */
const asChat = (question, others) => ({
  model: question.model,
  stream: true,
  ...others,
  messages: withSystem(question),
  ...(question.maxTokens ? { max_tokens: question.maxTokens } : {}),
  ...asFunctions(question.tools),
});

const NO_CORS = "This API doesn't answer web pages: set the base URL of a proxy of yours that allows this page's origin.";

/** @type {Record<PlaygroundApi, Interface>} */
export const INTERFACES = {
  "openai-chat": {
    title: "Chat completions (OpenAI-compatible)",
    base: "http://localhost:11434/v1",
    path: () => "/chat/completions",
    headers: bearer,
    user: userMessage,
    body: (question) => asChat(question, { stream_options: { include_usage: true } }),
  },
  "openai-responses": {
    title: "Responses (OpenAI)",
    base: "https://api.openai.com/v1",
    path: () => "/responses",
    headers: bearer,
    user: userMessage,
    body: ({ model, system, messages, tools, maxTokens }) => ({
      model,
      stream: true,
      ...(system ? { instructions: system } : {}),
      input: messages,
      ...(maxTokens ? { max_output_tokens: maxTokens } : {}),
      ...asFlatFunctions(tools),
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
    user: userMessage,
    body: ({ model, system, messages, tools, maxTokens }) => ({
      model,
      stream: true,
      max_tokens: maxTokens || 1024,
      ...(system ? { system } : {}),
      messages,
      ...(tools.length > 0 ? { tools: tools.map(asAnthropic) } : {}),
    }),
  },
  gemini: {
    title: "Gemini (Google)",
    base: "https://generativelanguage.googleapis.com/v1beta",
    path: (model) => `/models/${encodeURIComponent(model.replace(/^models\//, ""))}:streamGenerateContent?alt=sse`,
    headers: googleKey,
    user: (text) => ({ role: "user", parts: [{ text }] }),
    body: ({ system, messages, tools, maxTokens }) => ({
      ...(system ? { systemInstruction: { parts: [{ text: system }] } } : {}),
      contents: messages,
      ...(maxTokens ? { generationConfig: { maxOutputTokens: maxTokens } } : {}),
      ...(tools.length > 0 ? { tools: [{ functionDeclarations: tools.map(asGemini) }] } : {}),
    }),
  },
  "gemini-interactions": {
    title: "Interactions (Google)",
    base: "https://generativelanguage.googleapis.com/v1beta",
    path: () => "/interactions",
    headers: googleKey,
    user: (text) => ({ type: "user_input", content: [{ type: "text", text }] }),
    body: ({ model, system, messages, tools, maxTokens }) => ({
      model,
      stream: true,
      ...(system ? { system_instruction: system } : {}),
      input: messages,
      ...(maxTokens ? { generation_config: { max_output_tokens: maxTokens } } : {}),
      ...asFlatFunctions(tools),
    }),
  },
  "bedrock-converse": {
    title: "Bedrock Converse (AWS)",
    base: "https://bedrock-runtime.us-east-1.amazonaws.com",
    path: (model) => `/model/${encodeURIComponent(model)}/converse-stream`,
    headers: bearer,
    user: (text) => ({ role: "user", content: [{ text }] }),
    body: ({ system, messages, tools, maxTokens }) => ({
      ...(system ? { system: [{ text: system }] } : {}),
      messages,
      ...(maxTokens ? { inferenceConfig: { maxTokens } } : {}),
      ...(tools.length > 0 ? { toolConfig: { tools: tools.map(asBedrock) } } : {}),
    }),
    note: `The key is a Bedrock API key; requests aren't signed. ${NO_CORS}`,
  },
  "ollama-chat": {
    title: "Ollama’s own chat",
    base: "http://localhost:11434",
    path: () => "/api/chat",
    headers: bearer,
    user: userMessage,
    body: (question) => ({
      model: question.model,
      stream: true,
      messages: withSystem(question),
      ...(question.maxTokens ? { options: { num_predict: question.maxTokens } } : {}),
      ...asFunctions(question.tools),
    }),
  },
  "cohere-chat": {
    title: "Chat, version 2 (Cohere)",
    base: "https://api.cohere.com/v2",
    path: () => "/chat",
    headers: bearer,
    user: userMessage,
    body: asChat,
  },
  "workers-ai": {
    title: "Workers AI (Cloudflare)",
    base: "https://api.cloudflare.com/client/v4/accounts/ACCOUNT_ID/ai/run",
    path: (model) => `/${model}`,
    headers: bearer,
    user: userMessage,
    body: (question) => ({
      stream: true,
      messages: withSystem(question),
      ...(question.maxTokens ? { max_tokens: question.maxTokens } : {}),
      ...(question.tools.length > 0 ? { tools: question.tools.map(definitionOf) } : {}),
    }),
    note: NO_CORS,
  },
};

/**
 * @param {PlaygroundForm & { api: PlaygroundApi }} form
 * @param {object[]} messages the conversation, in the interface's own form
 * @returns {PlaygroundRequest}
 */
export function questionRequest({ api, base, key, model, system, tools, maxTokens }, messages) {
  const { path, headers, body } = INTERFACES[api];
  const question = {
    model: model.trim(),
    system: system.trim(),
    messages,
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
