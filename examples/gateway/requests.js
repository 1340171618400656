// Converts requests: from the clients' three interfaces to a common form, and from that to the model server's
// interface.
//
// A turn of the common form has a role, "user" or "assistant", and parts: { text }, { image: { url } } or
// { image: { mediaType, data } }, { call: { id, name, arguments, extra } }, and { result: { id, text, isError } }.
// `extra` is provider data to send back with the call, such as the signature that Gemini requires. An image may have
// the `detail` with which OpenAI's models look at it.

/** The error for a request that can't be translated. The message is for the client. */
export class RequestError extends Error {}

const refuse = (message) => {
  throw new RequestError(message);
};

const READ = { "openai-chat": readChat, "openai-responses": readResponses, "anthropic-messages": readMessages };
const WRITE = { "openai-chat": writeChat, "anthropic-messages": writeMessages };

/** Translates a client's request to the model server's interface. `ignored` names the fields that are left out. */
export function translateRequest(body, { from, to }) {
  if (WRITE[to] === undefined) throw new Error(`MODEL_API must be one of ${Object.keys(WRITE).join(", ")}, not ${to}`);
  if (typeof body !== "object" || body === null) refuse("The request must be an object");
  const { model, stream_options: streamOptions } = body;
  if (model !== undefined && (typeof model !== "string" || model === "")) refuse("`model` must be a text");
  if (typeof (body.stream ?? false) !== "boolean") refuse("`stream` must be true or false");
  const includeUsage = streamOptions?.include_usage ?? false;
  if (typeof includeUsage !== "boolean") refuse("`stream_options.include_usage` must be true or false");
  const asked = { model, includeUsage };
  // Both sides have the same interface, so the request passes unchanged.
  if (from === to) return { ...asked, ignored: [], request: body };
  try {
    return { ...asked, ...translate(body, { from, to }) };
  } catch (error) {
    if (error instanceof TypeError) refuse(`The request can't be read as one of ${from}`);
    throw error;
  }
}

/** Fields that would change the answer if they were left out. */
const REFUSED = [
  "conversation",
  "function_call",
  "functions",
  "mcp_servers",
  "previous_response_id",
  "prompt",
  "web_search_options",
];

/** Fields that may request an answer of another form, and whether they do. */
const FORMS = {
  modalities: ({ modalities }) => modalities?.some((form) => form !== "text"),
  n: ({ n }) => n > 1,
  "output_config.format": ({ output_config: config }) => isForm(config?.format),
  output_format: ({ output_format: format }) => isForm(format),
  response_format: ({ response_format: format }) => isForm(format),
  "text.format": ({ text }) => isForm(text?.format),
};

const isForm = (format) => format && format.type !== "text";

function translate(body, { from, to }) {
  // Some clients write null or an empty list for whatever they don't use.
  const isUsed = ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0);
  const known = Object.fromEntries(Object.entries(body).filter(isUsed));
  const { model: _, stream = false, temperature, top_p, ...rest } = known;
  const { ignored, ...asked } = READ[from](rest);
  const refused = REFUSED.find((name) => ignored[name]);
  if (refused) refuse(`\`${refused}\` can't be translated: the gateway stores nothing, and has only tools of the type function`);
  const form = Object.keys(FORMS).find((name) => FORMS[name](ignored));
  if (form) refuse(`\`${form}\` can't be translated: the gateway has only one answer, which is text without a schema`);
  // Servers reject a choice without tools.
  if (!asked.tools) Object.assign(asked, { toolChoice: undefined, isParallel: undefined });
  if (isMarked(known)) ignored.cache_control = true;
  const hasDetail = ({ image }) => (image?.detail ?? "auto") !== "auto";
  if (to !== "openai-chat" && asked.turns.some(({ parts }) => parts.some(hasDetail))) ignored.detail = true;
  return { ignored: Object.keys(ignored), request: { stream, temperature, top_p, ...WRITE[to](asked) } };
}

/** Fields that may contain cache markers, which have no place once texts are joined. */
const MARKED = ["messages", "input", "system", "content", "tools"];

function isMarked(value) {
  if (Array.isArray(value)) return value.some(isMarked);
  if (typeof value !== "object" || value === null) return false;
  return Boolean(value.cache_control) || MARKED.some((name) => isMarked(value[name]));
}

// ---- Chat completions

function readChat({ messages, tools, tool_choice: choice, parallel_tool_calls: isParallel, stop, stream_options: _, ...rest }) {
  const { max_tokens: maxTokens, max_completion_tokens: maxCompletionTokens, ...ignored } = rest;
  const isSystem = ({ role }) => role === "system" || role === "developer";
  if (listOf(messages, "messages").some(({ name }) => name)) ignored["messages.name"] = true;
  return {
    system: messages
      .filter(isSystem)
      .map(({ content }) => textOf(content))
      .join("\n\n"),
    turns: messages.filter((message) => !isSystem(message)).map(readChatMessage),
    tools: tools?.map(({ type, function: tool }) => (type === "function" ? toolOf(tool) : refuseTool(type))),
    toolChoice: typeof choice === "object" ? chosen(choice, choice.function) : choice,
    isParallel,
    stop: stop === undefined ? undefined : [stop].flat(),
    maxTokens: maxCompletionTokens ?? maxTokens,
    ignored,
  };
}

function readChatMessage({ role, content, refusal, tool_calls: calls, tool_call_id: id, function_call: legacy }) {
  if (role === "tool") return { role: "user", parts: [{ result: { id, text: textOf(content) } }] };
  if (legacy) refuse("A `function_call` can't be translated: the gateway has only `tool_calls`");
  const called = (calls ?? []).map(({ id, function: { name, arguments: text }, extra_content: extra }) => ({
    call: { id, name, arguments: text, extra },
  }));
  const refused = refusal ? [{ text: refusal }] : [];
  return { role: roleOf(role), parts: [...partsOf(content), ...refused, ...called] };
}

function writeChat({ system, turns, tools, toolChoice, isParallel, stop, maxTokens }) {
  const messages = turns.flatMap(({ role, parts }) => {
    const results = parts
      .filter(({ result }) => result)
      .map(({ result: { id, text, isError } }) => ({
        role: "tool",
        tool_call_id: id,
        content: isError ? `Error: ${text}` : text, // the interface has no field for errors
      }));
    const calls = parts
      .filter(({ call }) => call)
      .map(({ call: { id, extra, ...called } }) => ({ id, type: "function", function: called, extra_content: extra }));
    const others = parts.filter(({ text, image }) => text !== undefined || image);
    if (others.length === 0 && calls.length === 0) return results;
    const isText = others.every(({ text }) => text !== undefined);
    // A model's text is split at its citations.
    const between = role === "user" ? "\n\n" : "";
    const content = isText ? others.map(({ text }) => text).join(between) : others.map(writeChatPart);
    if (calls.length === 0) return [...results, { role, content }];
    return [...results, { role, content: content.length > 0 ? content : null, tool_calls: calls }];
  });
  return {
    messages: system === "" ? messages : [{ role: "system", content: system }, ...messages],
    tools: tools?.map(({ name, description, schema, strict }) => ({
      type: "function",
      function: { name, description, parameters: schema, strict },
    })),
    tool_choice: toolChoice?.name ? { type: "function", function: { name: toolChoice.name } } : toolChoice,
    parallel_tool_calls: isParallel,
    stop,
    max_tokens: maxTokens,
  };
}

const writeChatPart = ({ text, image }) =>
  image ? { type: "image_url", image_url: { url: urlOf(image), detail: image.detail } } : { type: "text", text };

// ---- Responses

function readResponses({ input, instructions, tools, tool_choice: choice, max_output_tokens: maxTokens, ...rest }) {
  const { parallel_tool_calls: isParallel, store, ...ignored } = rest;
  if (store) ignored.store = true;
  const items = typeof input === "string" ? [{ role: "user", content: input }] : listOf(input, "input");
  const isSystem = ({ role }) => role === "system" || role === "developer";
  const system = items.filter(isSystem).map(({ content }) => textOf(content));
  return {
    system: [instructions, ...system].filter(Boolean).join("\n\n"),
    turns: joined(items.filter((item) => !isSystem(item) && item.type !== "reasoning").map(readItem)),
    tools: tools?.map((tool) => (tool.type === "function" ? toolOf(tool) : refuseTool(tool.type))),
    toolChoice: typeof choice === "object" ? chosen(choice, choice) : choice,
    isParallel,
    maxTokens,
    ignored,
  };
}

function readItem({ type = "message", role, content, call_id: id, name, arguments: text, extra_content: extra, output }) {
  if (type === "function_call") return { role: "assistant", parts: [{ call: { id, name, arguments: text, extra } }] };
  if (type === "function_call_output") return { role: "user", parts: [{ result: { id, text: textOf(output) } }] };
  if (type !== "message") refuse(`Items of the type ${type} can't be translated`);
  return { role: roleOf(role), parts: partsOf(content) };
}

/** Joins calls and adjacent messages to one turn: nothing may come between a call and its result. */
function joined(turns) {
  const all = [];
  const hasCalls = ({ parts }) => parts.some(({ call }) => call);
  for (const turn of turns) {
    const last = all.at(-1);
    const isSame = last?.role === "assistant" && turn.role === "assistant";
    if (isSame && (hasCalls(last) || hasCalls(turn))) last.parts.push(...turn.parts);
    else all.push(turn);
  }
  return all;
}

// ---- Anthropic Messages

function readMessages({ messages, system, tools, tool_choice: choice, stop_sequences: stop, max_tokens: maxTokens, ...ignored }) {
  const choices = { auto: "auto", any: "required", none: "none", tool: { name: choice?.name } };
  return {
    system: textOf(system ?? ""),
    turns: listOf(messages, "messages").map(({ role, content }) => ({ role: roleOf(role), parts: partsOf(content) })),
    tools: tools?.map(({ type = "custom", input_schema: parameters, ...tool }) =>
      type === "custom" ? toolOf({ ...tool, parameters }) : refuseTool(type),
    ),
    toolChoice: choices[choice?.type],
    isParallel: choice?.disable_parallel_tool_use ? false : undefined,
    stop,
    maxTokens,
    ignored,
  };
}

function writeMessages({ system, turns, tools, toolChoice, isParallel, stop, maxTokens = 4096 }) {
  const messages = [];
  for (const { role, parts } of turns) {
    // Anthropic rejects blocks of white space.
    const blocks = parts.filter(({ text }) => text?.trim() !== "").map(writeBlock);
    // The results of parallel calls are in one message.
    if (messages.at(-1)?.role === role) messages.at(-1).content.push(...blocks);
    else if (blocks.length > 0) messages.push({ role, content: blocks });
  }
  const choices = { auto: { type: "auto" }, required: { type: "any" }, none: { type: "none" } };
  const choice = toolChoice?.name ? { type: "tool", name: toolChoice.name } : choices[toolChoice];
  const isSingle = isParallel === false && choice?.type !== "none";
  return {
    messages,
    system: system || undefined,
    tools: tools?.map(({ name, description, schema, strict }) => ({ name, description, input_schema: schema, strict })),
    tool_choice: isSingle ? { type: "auto", ...choice, disable_parallel_tool_use: true } : choice,
    stop_sequences: stop,
    max_tokens: maxTokens,
  };
}

function writeBlock({ text, image, call, result }) {
  if (call) return { type: "tool_use", id: acceptedId(call.id), name: call.name, input: inputOf(call) };
  if (result) return { type: "tool_result", tool_use_id: acceptedId(result.id), content: result.text, is_error: result.isError };
  if (!image) return { type: "text", text };
  const { url, mediaType: media_type, data } = image;
  return { type: "image", source: url ? { type: "url", url } : { type: "base64", media_type, data } };
}

/** Anthropic rejects ids of other providers with other characters, such as Kimi's `functions.weather:0`. */
const acceptedId = (id) => id.replace(/[^\w-]/gu, (character) => `_${character.codePointAt(0).toString(16)}_`);

function inputOf({ name, arguments: text }) {
  let input;
  try {
    input = JSON.parse(text || "{}") ?? {};
  } catch {
    refuse(`The arguments of a call to ${name} aren't valid JSON`);
  }
  // Anthropic accepts only objects.
  return typeof input === "object" && !Array.isArray(input) ? input : { input };
}

// ---- Shared functions

const listOf = (value, name) => (Array.isArray(value) ? value : refuse(`\`${name}\` must be a list that isn't empty`));

const roleOf = (role) =>
  role === "user" || role === "assistant" ? role : refuse(`Messages with the role ${role} can't be translated`);

/** Returns a tool. OpenAI rejects a schema without properties. */
const toolOf = ({ name, description, parameters, strict }) => ({
  name,
  description: description ?? undefined,
  schema: { type: "object", properties: {}, ...parameters },
  strict: strict === true || undefined, // Responses sends false
});

const chosen = ({ type }, tool) => {
  if (type !== "function") refuse(`A \`tool_choice\` of the type ${type} can't be translated: the gateway has only functions`);
  return { name: tool.name };
};

const refuseTool = (type) => refuse(`Tools of the type ${type} can't be translated: the gateway has only functions`);

/** Returns the text of a message's content, which is a string or a list of parts. */
const textOf = (content) =>
  partsOf(content)
    .map(({ text }) => text ?? refuse("System messages and tool results can only contain text"))
    .join("\n\n");

/** Returns the parts of a message's content. Reasoning is left out: it belongs to the provider that wrote it. */
function partsOf(content) {
  if (typeof content === "string") return [{ text: content }];
  return (content ?? []).flatMap(readPart);
}

function readPart(part) {
  switch (part.type) {
    case "text":
    case "input_text":
    case "output_text":
      return [{ text: part.text }];
    case "refusal":
      return [{ text: part.refusal }];
    case "image_url":
      return [{ image: { ...imageOf(part.image_url.url), detail: part.image_url.detail } }];
    case "input_image":
      return [{ image: { ...imageOf(part.image_url), detail: part.detail } }];
    case "image":
      return [
        { image: part.source.data ? { mediaType: part.source.media_type, data: part.source.data } : imageOf(part.source.url) },
      ];
    case "tool_use":
      return [{ call: { id: part.id, name: part.name, arguments: JSON.stringify(part.input ?? {}), extra: part.extra_content } }];
    case "tool_result":
      return [{ result: { id: part.tool_use_id, text: textOf(part.content), isError: part.is_error } }];
    case "thinking":
    case "redacted_thinking":
    case "reasoning":
      return [];
    default:
      return refuse(`Parts of the type ${part.type} can't be translated`);
  }
}

/** Returns an image by its URL, which may contain the bytes. */
function imageOf(url) {
  if (typeof url !== "string") refuse("Images must have a URL or data: the gateway has no files");
  const [, mediaType, data] = /^data:([^;,]+)[^,]*;base64,(.*)$/s.exec(url) ?? [];
  return data === undefined ? { url } : { mediaType, data };
}

const urlOf = ({ url, mediaType, data }) => url ?? `data:${mediaType};base64,${data}`;
