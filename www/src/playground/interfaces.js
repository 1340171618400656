// The interfaces that the playground can ask: where, with which headers, and with which body.

const json = { "content-type": "application/json" };
const bearer = (key) => ({ ...json, ...(key === "" ? {} : { authorization: `Bearer ${key}` }) });

export const INTERFACES = {
  "openai-chat": {
    title: "Chat completions (OpenAI-compatible)",
    base: "http://localhost:11434/v1",
    path: "/chat/completions",
    headers: bearer,
    body: ({ model, prompt, tools, maxTokens }) => ({
      model,
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: "user", content: prompt }],
      ...(maxTokens ? { max_tokens: maxTokens } : {}),
      ...(tools.length > 0 ? { tools: tools.map(asFunction) } : {}),
    }),
  },
  "openai-responses": {
    title: "Responses (OpenAI)",
    base: "https://api.openai.com/v1",
    path: "/responses",
    headers: bearer,
    body: ({ model, prompt, tools, maxTokens }) => ({
      model,
      stream: true,
      input: prompt,
      ...(maxTokens ? { max_output_tokens: maxTokens } : {}),
      ...(tools.length > 0 ? { tools: tools.map((tool) => ({ type: "function", ...partsOf(tool) })) } : {}),
    }),
  },
  "anthropic-messages": {
    title: "Messages (Anthropic)",
    base: "https://api.anthropic.com/v1",
    path: "/messages",
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
};

/** A definition, in any of the forms in which providers take one. */
function partsOf(tool) {
  const { name, description, parameters, input_schema: schema } = tool.function ?? tool;
  return {
    name,
    ...(description ? { description } : {}),
    parameters: parameters ?? schema ?? { type: "object", properties: {} },
  };
}

const asFunction = (tool) => ({ type: "function", function: partsOf(tool) });

function asAnthropic(tool) {
  const { parameters, ...rest } = partsOf(tool);
  return { ...rest, input_schema: parameters };
}

/** What is wrong with what was typed in; undefined for nothing. */
export function faultOf({ base, model, prompt, tools }) {
  if (!/^https?:\/\/[^/]/i.test(base.trim())) return "The base URL has to begin with http:// or https://.";
  if (model.trim() === "") return "Name a model.";
  if (prompt.trim() === "") return "Write a prompt.";
  return faultOfTools(tools);
}

function faultOfTools(text) {
  if (text.trim() === "") return undefined;
  let tools;
  try {
    tools = JSON.parse(text);
  } catch (error) {
    return `The tools are no JSON: ${error.message}`;
  }
  if (!Array.isArray(tools)) return "The tools have to be a JSON array of definitions.";
  const nameless = tools.findIndex((tool) => typeof (tool?.function ?? tool)?.name !== "string");
  return nameless < 0 ? undefined : `Tool ${nameless + 1} has no name.`;
}

/** The request that the form stands for. */
export function requestOf({ api, base, key, model, prompt, tools, maxTokens }) {
  const { path, headers, body } = INTERFACES[api];
  const given = {
    model: model.trim(),
    prompt,
    tools: tools.trim() === "" ? [] : JSON.parse(tools),
    maxTokens: Number(maxTokens) || undefined,
  };
  return {
    url: base.trim().replace(/\/+$/, "") + path,
    method: "POST",
    headers: headers(key.trim()),
    body: JSON.stringify(body(given)),
  };
}
