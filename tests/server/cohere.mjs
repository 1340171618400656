// Cohere's chat, version 2. https://docs.cohere.com/v2/reference/chat
import { argumentsOf, cutInTwo, piecesOf } from "./turn.mjs";

export const name = "cohere-chat";
export const path = "/v2/chat";

const FINISH = { complete: "COMPLETE", length: "MAX_TOKENS", content_filter: "ERROR", tool_use: "TOOL_CALL" };

const endOf = (turn) => ({
  finish_reason: FINISH[turn.finish],
  ...(turn.usage && { usage: { tokens: { input_tokens: turn.usage.prompt, output_tokens: turn.usage.completion } } }),
});

const event = (type, message, rest) => ({ type, ...rest, ...(message && { delta: { message } }) });

/** Returns the events of a content block, whose text is in the member of this name. */
const blockOf = (type, pieces, index) =>
  pieces.length === 0
    ? []
    : [
        event("content-start", { content: { type, [type]: "" } }, { index }),
        ...pieces.map((piece) => event("content-delta", { content: { [type]: piece } }, { index })),
        event("content-end", undefined, { index }),
      ];

const callEvents = ({ id, name, arguments: given }, index) => [
  event("tool-call-start", { tool_calls: { id, type: "function", function: { name, arguments: "" } } }, { index }),
  ...cutInTwo(argumentsOf(given)).map((piece) =>
    event("tool-call-delta", { tool_calls: { function: { arguments: piece } } }, { index }),
  ),
  event("tool-call-end", undefined, { index }),
];

/** Returns the events of a stream, as text on the wire. */
export function events(turn) {
  const thinking = piecesOf(turn.reasoning);
  const list = [
    event("message-start", { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] }, { id: "stub" }),
    ...blockOf("thinking", thinking, 0),
    ...blockOf("text", piecesOf(turn.text), Math.min(thinking.length, 1)),
    ...turn.toolCalls.flatMap(callEvents),
    { type: "message-end", delta: turn.error ? { finish_reason: "ERROR", error: turn.error.message } : endOf(turn) },
  ];
  return list.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`);
}

/** Returns the complete body. */
export function body(turn) {
  const blocks = { thinking: piecesOf(turn.reasoning).join(""), text: piecesOf(turn.text).join("") };
  const content = Object.entries(blocks).flatMap(([type, text]) => (text ? [{ type, [type]: text }] : []));
  const tool_calls = turn.toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: "function",
    function: { name, arguments: argumentsOf(given) },
  }));
  return { id: "stub", message: { role: "assistant", content, ...(tool_calls.length > 0 && { tool_calls }) }, ...endOf(turn) };
}

export function errorBody({ message }) {
  return { id: "stub", message };
}

/** Returns the reason why the interface would reject a request, or undefined. */
export function faultOf({ messages }) {
  if (!Array.isArray(messages)) return "messages is missing";
  let open = [];
  for (const [at, message] of messages.entries()) {
    const { role, content, tool_calls, tool_plan, tool_call_id } = message;
    if (role === "tool") {
      if (!open.includes(tool_call_id)) return `messages[${at}]: no call ${tool_call_id} is open`;
      if (typeof content !== "string") return `messages[${at}]: a tool answers with text`;
      open = open.filter((id) => id !== tool_call_id);
      continue;
    }
    if (open.length > 0) return `messages[${at}]: the calls [${open}] have no result`;
    if (role !== "assistant") continue;
    if (tool_plan !== undefined && tool_calls === undefined) return `messages[${at}]: a plan without calls`;
    if (!content?.length && !tool_calls?.length) return `messages[${at}]: neither content nor tool_calls`;
    if (tool_calls?.some((call) => typeof call.function?.arguments !== "string"))
      return `messages[${at}]: arguments must be a string`;
    open = (tool_calls ?? []).map(({ id }) => id);
  }
  return open.length > 0 ? `the calls [${open}] have no result` : undefined;
}
