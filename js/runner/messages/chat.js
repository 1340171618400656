/** Chat completions: an assistant message with the calls, and one message for each result. */

import { imageUrl, isImage, resultText } from "../tool_result.js";
import { argumentsOf, textOf } from "./response.js";

export function chatMessages(response, toolCalls, results) {
  const { message: members, toolCalls: extras } = response.apiSpecific?.choices?.find(({ index }) => index === 0) ?? {};
  const reasoning = reasoningOf(response, members?.reasoning_details);
  const assistant = { role: "assistant", content: textOf(response) || null, ...reasoning };
  assistant.tool_calls = toolCalls.map((call) => toolCallOf(call, extras?.[call.id]));
  const images = [];
  const answers = toolCalls.map(({ id }, at) => {
    const { parts } = results[at];
    images.push(...parts.filter((part) => part.type !== "text").map(imagePart));
    return { role: "tool", tool_call_id: id, content: contentOf(results[at]) };
  });
  // A tool can answer with text only; what else there is can stand in the user's message after it.
  const rest = images.length > 0 ? [{ role: "user", content: images }] : [];
  return [assistant, ...answers, ...rest];
}

/** Several parts stay apart. */
function contentOf(result) {
  const texts = result.parts.filter((part) => part.type === "text");
  return texts.length > 1 && !result.isError ? texts.map(({ text }) => ({ type: "text", text })) : resultText(result, false);
}

/** Servers that give reasoning want it back while tools run: by the signed details, or as the text. */
function reasoningOf({ message }, reasoning_details) {
  if (reasoning_details) return { reasoning_details };
  const texts = Array.isArray(message) ? message.filter((part) => part.type === "reasoning").map(({ text }) => text) : [];
  return texts.length > 0 ? { reasoning_content: texts.join("") } : {};
}

/** `extra`: what the server had told of the call besides, such as a signature. */
function toolCallOf(call, extra) {
  const { id, name } = call;
  if (extra?.type === "custom") return { ...extra, id, custom: { name, input: JSON.parse(call.arguments) } };
  return { ...extra, id, type: "function", function: { ...extra?.function, name, arguments: argumentsOf(call) } };
}

const imagePart = (part) => (isImage(part) ? { type: "image_url", image_url: { url: imageUrl(part) } } : part);
