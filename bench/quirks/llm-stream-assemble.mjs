// llm-stream-assemble: assembleStream, and assembleResponse for bodies, with its adapter for each interface.
import {
  anthropicAdapter,
  assembleResponse,
  assembleStream,
  cohereAdapter,
  geminiAdapter,
  openaiCompatibleAdapter,
  openaiResponsesAdapter,
} from "llm-stream-assemble";
import { versionOf } from "../machine.mjs";

/** @import { StreamAdapter, StreamEvent } from "llm-stream-assemble" */
/** @import { Api } from "../../tests/fixtures/quirks/cases.mjs" */
/** @import { Adapter, Answer } from "../../tests/fixtures/quirks/check.mjs" */

/** @type {Partial<Record<Api, () => StreamAdapter>>} */
const ADAPTERS = {
  "openai-chat": () => openaiCompatibleAdapter({ provider: "generic" }),
  "openai-responses": () => openaiResponsesAdapter(),
  "anthropic-messages": () => anthropicAdapter(),
  gemini: () => geminiAdapter(),
  "cohere-chat": () => cohereAdapter(),
};

/** @type {Adapter} */
export default {
  name: "llm-stream-assemble",
  version: versionOf("llm-stream-assemble"),
  reads: {
    "openai-chat": ["stream", "body"],
    "openai-responses": ["stream", "body"],
    "anthropic-messages": ["stream", "body"],
    gemini: ["stream", "body"],
    "cohere-chat": ["stream", "body"],
  },
  // It makes no requests, so it never sees why one failed.
  lacks: ["status"],
  async read({ api, form, fetch }, answer) {
    const adapter = ADAPTERS[api]?.();
    if (adapter === undefined) throw new Error(`${api} isn't among the interfaces that it reads`);
    const response = await fetch();
    const { body } = response;
    if (body === null) throw new Error("the response has no body");
    const events = form === "stream" ? assembleStream(body, adapter) : assembleResponse(await response.json(), adapter);
    /** @type {StreamEvent[]} */
    const all = [];
    answer.all = all;
    for await (const event of events) {
      all.push(event);
      addEvent(event, answer);
    }
  },
};

/** @param {StreamEvent} event @param {Answer} answer */
function addEvent(event, answer) {
  switch (event.type) {
    case "text.delta":
      // The text of a result is that of the first choice.
      if (!event.choiceIndex) answer.text += event.text;
      break;
    case "reasoning.delta":
      answer.reasoning += event.text;
      break;
    case "refusal.delta":
      answer.refusal = (answer.refusal ?? "") + event.text;
      break;
    case "tool_call.done":
      answer.toolCalls.push({ id: event.id, name: event.name, arguments: event.args });
      break;
    case "usage":
      // Anthropic's arrives in two events.
      answer.usage = {
        promptTokens: event.inputTokens ?? answer.usage?.promptTokens,
        completionTokens: event.outputTokens ?? answer.usage?.completionTokens,
      };
      break;
    case "error":
      answer.error ??= event.error;
      break;
    case "finish":
      answer.ending = ENDINGS.get(event.reason) ?? "complete";
  }
}

/** @type {Map<string, "failed" | "truncated">} */
const ENDINGS = new Map([
  ["error", "failed"],
  ["incomplete", "truncated"],
]);
