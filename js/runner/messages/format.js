/** @import { ReadResult } from "../tool_result.js" */
/** @import { Json } from "./response.js" */
/** @import { AnnotatedLlmResponse, CallToParse, RequestMessage, ResponseToolCall, StreamResult, ToolCall, ToolResult } from "../../types/api.js" */
/** @import { Call } from "../../outputs/tool_arguments.js" */

import { checked } from "../../checked.js";
import { INTERFACES } from "../../interfaces.js";
import { quote } from "../../input.js";
import { readCalls } from "../../outputs/tool_arguments.js";
import { refuse, refuseValue } from "../../read_option.js";
import { readResult, withoutSound } from "../tool_result.js";
import { acceptedIds } from "./accepted_ids.js";
import { UNNAMED } from "./accepted_names.js";
import { anthropicDefinition, anthropicMessages } from "./anthropic.js";
import { bedrockDefinition, bedrockMessages } from "./bedrock.js";
import { chatDefinition, chatMessages } from "./chat.js";
import { cohereMessages } from "./cohere.js";
import { geminiContents, geminiDefinition, joinGeminiTools, splitGeminiTool } from "./gemini.js";
import { withCallIds } from "./ids.js";
import { interactionDefinition, interactionSteps } from "./interactions.js";
import { ollamaMessages } from "./ollama.js";
import { responsesDefinition, responsesItems } from "./responses.js";

/** @type {(tool: Json) => Json[]} */
const alone = (tool) => [tool];

/** @type {(tools: readonly Json[]) => Json[]} */
const apart = (tools) => [...tools];

/**
 * The usual format: each definition is one tool, which may be strict; results contain no audio; a field requests a
 * stream.
 */
const USUAL = {
  split: alone,
  join: apart,
  toolConfig: false,
  takesSound: false,
  takesStrict: true,
  fields: { stream: true },
};

/**
 * The request format of each interface: the name of the field with the conversation, and the forms of messages and
 * definitions. `split` returns a definition for each tool of one definition, and `join` the list for the request (which
 * goes into a field `toolConfig` if that is true). `fields` are added to each request.
 */
const FORMATS = {
  "openai-chat": { ...USUAL, conversation: "messages", messages: chatMessages, definition: chatDefinition },
  "openai-responses": { ...USUAL, conversation: "input", messages: responsesItems, definition: responsesDefinition },
  "anthropic-messages": { ...USUAL, conversation: "messages", messages: anthropicMessages, definition: anthropicDefinition },
  gemini: {
    conversation: "contents",
    messages: geminiContents,
    definition: geminiDefinition,
    split: splitGeminiTool,
    join: joinGeminiTools,
    toolConfig: false,
    takesSound: true,
    takesStrict: false,
    fields: {}, // the URL asks for a stream
  },
  "bedrock-converse": {
    ...USUAL,
    conversation: "messages",
    messages: bedrockMessages,
    definition: bedrockDefinition,
    toolConfig: true,
    fields: {}, // the URL asks for a stream
  },
  "gemini-interactions": {
    ...USUAL,
    conversation: "input",
    messages: interactionSteps,
    definition: interactionDefinition,
    takesSound: true,
    takesStrict: false,
  },
  "ollama-chat": { ...USUAL, conversation: "messages", messages: ollamaMessages, definition: chatDefinition, takesStrict: false },
  "cohere-chat": { ...USUAL, conversation: "messages", messages: cohereMessages, definition: chatDefinition, takesStrict: false },
};

/** @typedef {keyof typeof FORMATS} MessageApi */

/**
 * Throws if an interface, which can be read, doesn't support tools in requests.
 *
 * @param {string} api
 */
export function requireTools(api) {
  if (Object.hasOwn(INTERFACES, api) && !Object.hasOwn(FORMATS, api)) refuseFormat(api);
}

/** @param {unknown} api @returns {never} */
function refuseFormat(api) {
  return refuse(`There are no tool messages for ${quote(api)}; pass one of ${Object.keys(FORMATS).join(", ")}`);
}

/**
 * @param {unknown} api
 * @returns {api is MessageApi}
 */
const hasFormat = (api) => Object.hasOwn(FORMATS, /** @type {string} */ (api));

/**
 * Reads the calls that were run. Each needs the id from the response or `decode`, which matches its result to it.
 *
 * @param {readonly CallToParse[]} toolCalls
 */
function answeredCalls(toolCalls) {
  const calls = readCalls(toolCalls);
  const index = calls.findIndex(({ id }) => id === "");
  if (index >= 0) refuse(`toolCalls[${index}] has no id: pass the call of the response, which has one`);
  return calls;
}

/**
 * Writes a call's arguments as text. Those of a response are values, and the value of a custom tool is a string.
 *
 * @param {Call | ResponseToolCall} call
 * @param {AnnotatedLlmResponse} response
 * @returns {ToolCall}
 */
function writtenCall(call, { toolCalls = [] }) {
  const { id, name, arguments: value } = call;
  const isValue = ("isText" in call && call.isText) || toolCalls.some((known) => known.id === id && known.arguments === value);
  return {
    id,
    name: name || UNNAMED,
    arguments: typeof value === "string" && !isValue ? value : (JSON.stringify(value) ?? "{}"),
  };
}

/** @type {ReadResult} */
const NOTHING = { parts: [], isError: false };

/**
 * Returns the answer's first call if it isn't among the calls to send, but has the only signature: Gemini signs the
 * first of several calls, and rejects the others without it.
 *
 * @param {AnnotatedLlmResponse} response
 * @param {readonly Call[]} kept
 * @returns {ResponseToolCall[]}
 */
function signedCall({ toolCalls = [] }, kept) {
  const own = toolCalls.filter(({ id }) => kept.some((call) => call.id === id));
  const [first] = toolCalls;
  const isNeeded = own.length > 0 && own.length === kept.length && !own.some((call) => call === first || call.signature);
  return first?.signature && isNeeded ? [first] : [];
}

export const formatToolMessages = checked(
  /**
   * @param {MessageApi} api
   * @param {AnnotatedLlmResponse | StreamResult} response
   * @param {readonly CallToParse[]} toolCalls
   * @param {readonly ToolResult[]} results
   * @returns {RequestMessage[]}
   */
  (api, response, toolCalls, results) => {
    if (!hasFormat(api)) refuseFormat(api);
    if (typeof response !== "object" || response === null) {
      refuseValue("The response", "the result of decode or of a stream", response);
    }
    if (!Array.isArray(results)) refuseValue("The results", "a list", results);
    const answered = answeredCalls(toolCalls);
    if (results.length !== answered.length) {
      refuse(`Expected one result for each tool call, not ${results.length} for ${answered.length}`);
    }
    const decoded = /** @type {Partial<StreamResult>} */ (response).response ?? /** @type {AnnotatedLlmResponse} */ (response);
    const { messages, takesSound } = FORMATS[api];
    const signed = decoded.api === api ? signedCall(decoded, answered) : [];
    const read = [...signed.map(() => NOTHING), ...results.map(readResult)];
    const calls = [...signed, ...answered].map((call) => writtenCall(call, decoded));
    const accepted = acceptedIds(api, decoded);
    const renamed = new Map(calls.map(({ id }) => [id, accepted(id)]));
    const written = messages(decoded, calls, takesSound ? read : read.map(withoutSound));
    return withCallIds(written, (id) => renamed.get(id) ?? id);
  },
  "The response, its tool calls or their results",
);

/**
 * Returns the request format of an interface; for a custom one, that of chat.
 *
 * @param {unknown} api
 */
export const requestFormat = (api) => FORMATS[hasFormat(api) ? api : "openai-chat"];

/**
 * Returns the interface whose format the messages after an answer have; for a custom one, chat.
 *
 * @param {string | undefined} api
 * @param {AnnotatedLlmResponse} response
 * @returns {MessageApi}
 */
export function formatFor(api, response) {
  return [api, response.api].find(hasFormat) ?? "openai-chat";
}
