// OpenAI chat completions. https://platform.openai.com/docs/api-reference/chat
import { argumentsOf, cutInTwo, piecesOf } from "./turn.mjs";

export const name = "openai-chat";
export const path = "/v1/chat/completions";

const FINISH = { complete: "stop", length: "length", content_filter: "content_filter", tool_use: "tool_calls" };

const usageOf = ({ usage }) => ({
  prompt_tokens: usage.prompt,
  completion_tokens: usage.completion,
  total_tokens: usage.prompt + usage.completion,
});

const head = (object) => ({ id: "chatcmpl-1", object, created: 1763680412, model: "stub" });

/** Returns the events of a stream, as text on the wire. */
export function events(turn) {
  const chunk = (delta, finish_reason = null) => ({
    ...head("chat.completion.chunk"),
    choices: [{ index: 0, delta, finish_reason }],
  });
  const call = (index, rest) => chunk({ tool_calls: [{ index, ...rest }] });
  const list = [
    chunk({ role: "assistant", content: "" }),
    ...piecesOf(turn.reasoning).map((reasoning_content) => chunk({ reasoning_content })),
    ...piecesOf(turn.text).map((content) => chunk({ content })),
    ...piecesOf(turn.refusal).map((refusal) => chunk({ refusal })),
    ...turn.toolCalls.flatMap(({ id, name, arguments: given }, index) => {
      const [first, second] = cutInTwo(argumentsOf(given));
      return [
        call(index, { id, type: "function", function: { name, arguments: first } }),
        call(index, { function: { arguments: second } }),
      ];
    }),
  ];
  if (turn.error) return [...list, errorBody(turn.error)].map(wire);
  list.push(chunk({}, FINISH[turn.finish]));
  if (turn.usage) list.push({ ...head("chat.completion.chunk"), choices: [], usage: usageOf(turn) });
  return [...list.map(wire), "data: [DONE]\n\n"];
}

const wire = (event) => `data: ${JSON.stringify(event)}\n\n`;

/** Returns the complete body. */
export function body(turn) {
  const tool_calls = turn.toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: "function",
    function: { name, arguments: argumentsOf(given) },
  }));
  const message = {
    role: "assistant",
    content: piecesOf(turn.text).join("") || null,
    refusal: piecesOf(turn.refusal).join("") || null,
    ...(tool_calls.length > 0 && { tool_calls }),
  };
  return {
    ...head("chat.completion"),
    choices: [{ index: 0, message, finish_reason: FINISH[turn.finish] }],
    ...(turn.usage && { usage: usageOf(turn) }),
  };
}

export function errorBody({ message, type = "server_error" }) {
  return { error: { message, type, param: null, code: null } };
}

/** Returns the reason why the interface would reject a request, or undefined. */
export function faultOf({ messages }) {
  if (!Array.isArray(messages)) return "messages is missing";
  let open = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id)) return `messages[${at}]: no call ${message.tool_call_id} is open`;
      open = open.filter((id) => id !== message.tool_call_id);
      const isText = (part) => part.type === "text" && typeof part.text === "string";
      if (typeof message.content !== "string" && !message.content?.every(isText))
        return `messages[${at}]: a tool answers with text`;
      continue;
    }
    if (open.length > 0) return `messages[${at}]: the calls ${open} have no answer`;
    if (message.role !== "assistant") continue;
    if (message.content === undefined && !message.tool_calls) return `messages[${at}]: neither content nor tool_calls`;
    for (const { type, id, function: called } of message.tool_calls ?? []) {
      if (type === "function" && typeof called?.arguments !== "string") return `messages[${at}]: arguments must be a string`;
      open.push(id);
    }
  }
  return open.length > 0 ? `the calls ${open} have no answer` : undefined;
}
