// Ollama's own chat. https://docs.ollama.com/api/chat
import { argumentsOf, piecesOf } from "./turn.mjs";

export const name = "ollama-chat";
export const path = "/api/chat";
export const contentType = "application/x-ndjson";

const REASON = { complete: "stop", length: "length", content_filter: "stop", tool_use: "stop" };

const line = (message, rest) => ({
  model: "stub",
  created_at: "2026-06-11T08:15:30.1Z",
  message: { role: "assistant", content: "", ...message },
  done: false,
  ...rest,
});

const endOf = (turn) => ({
  done: true,
  done_reason: REASON[turn.finish],
  ...(turn.usage && { prompt_eval_count: turn.usage.prompt, eval_count: turn.usage.completion }),
});

const callOf = ({ id, name, arguments: given }) => ({ id, function: { name, arguments: objectOf(argumentsOf(given)) } });

/** Returns the parsed arguments, or their text if they aren't valid JSON. */
function objectOf(json) {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** Returns the lines of a stream, as text on the wire. */
export function events(turn) {
  const lines = [
    ...piecesOf(turn.reasoning).map((thinking) => line({ thinking })),
    ...piecesOf(turn.text).map((content) => line({ content })),
    ...turn.toolCalls.map((call) => line({ tool_calls: [callOf(call)] })),
    turn.error ? errorBody(turn.error) : line({}, endOf(turn)),
  ];
  return lines.map((each) => `${JSON.stringify(each)}\n`);
}

/** Returns the complete body. */
export function body(turn) {
  const thinking = piecesOf(turn.reasoning).join("");
  const message = {
    content: piecesOf(turn.text).join(""),
    ...(thinking && { thinking }),
    ...(turn.toolCalls.length > 0 && { tool_calls: turn.toolCalls.map(callOf) }),
  };
  return line(message, endOf(turn));
}

export function errorBody({ message }) {
  return { error: message };
}

/** Returns the reason why the interface would reject a request, or undefined. */
export function faultOf({ messages }) {
  if (!Array.isArray(messages)) return "messages is missing";
  let open = [];
  for (const [at, message] of messages.entries()) {
    const { role, content, tool_calls = [], tool_name } = message;
    if (typeof content !== "string") return `messages[${at}]: content must be a string`;
    if (role === "tool") {
      if (open[0] !== tool_name) return `messages[${at}]: the calls [${open}] need results; this is one of ${tool_name}`;
      open = open.slice(1);
      continue;
    }
    if (open.length > 0) return `messages[${at}]: the calls [${open}] have no result`;
    const called = tool_calls.map((call) => call.function);
    if (called.some((given) => typeof given?.arguments !== "object")) return `messages[${at}]: arguments must be an object`;
    open = called.map((given) => given.name);
  }
  return open.length > 0 ? `the calls [${open}] have no result` : undefined;
}
