import { checked } from "../../checked.js";
import { refuse } from "../../options.js";
import { apiOf } from "../../response.js";
import { readResult } from "../tool_result.js";
import { anthropicMessages } from "./anthropic.js";
import { chatMessages } from "./chat.js";
import { responsesItems } from "./responses.js";

const FORMATS = { "openai-chat": chatMessages, "openai-responses": responsesItems, "anthropic-messages": anthropicMessages };

export const formatToolMessages = checked((api, response, toolCalls, results) => {
  if (!Object.hasOwn(FORMATS, api)) refuse(`there are no tool messages for ${api}; there are ${Object.keys(FORMATS).join(", ")}`);
  if (typeof response !== "object" || response === null) refuse("the response must be what decode or a stream has given");
  if (!Array.isArray(toolCalls) || !Array.isArray(results)) refuse("the tool calls and their results must be lists");
  if (results.length !== toolCalls.length) refuse(`there are ${toolCalls.length} tool calls, and ${results.length} results`);
  return FORMATS[api](response.response ?? response, toolCalls, results.map(readResult));
}, "the answer, its tool calls or their results");

/** The form of the messages after an answer: that of the interface, and for one of the user's own that of chat. */
export function formatFor(api, response) {
  return [api, apiOf(response)].find((name) => Object.hasOwn(FORMATS, name)) ?? "openai-chat";
}
