// Anthropic Messages. https://docs.anthropic.com/en/api/messages-streaming
import { argumentsOf, cutInTwo, piecesOf } from "./turn.mjs";

export const name = "anthropic-messages";
export const path = "/v1/messages";

const FINISH = { complete: "end_turn", length: "max_tokens", content_filter: "refusal", tool_use: "tool_use" };

/** Returns the content blocks, each with its deltas. */
function blocksOf(turn) {
  const blocks = [];
  const reasoning = piecesOf(turn.reasoning);
  if (reasoning.length > 0) {
    blocks.push({
      block: { type: "thinking", thinking: reasoning.join(""), signature: "c2lnbmVk" },
      empty: { thinking: "", signature: "" },
      deltas: [
        ...reasoning.map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: "c2lnbmVk" },
      ],
    });
  }
  const text = piecesOf(turn.text ?? turn.refusal);
  if (text.length > 0) {
    blocks.push({
      block: { type: "text", text: text.join("") },
      empty: { text: "" },
      deltas: text.map((piece) => ({ type: "text_delta", text: piece })),
    });
  }
  for (const { id, name, arguments: given } of turn.toolCalls) {
    const json = argumentsOf(given);
    blocks.push({
      block: { type: "tool_use", id, name, input: objectOf(json) },
      empty: { input: {} },
      deltas: cutInTwo(json).map((partial_json) => ({ type: "input_json_delta", partial_json })),
    });
  }
  return blocks;
}

/** Returns the parsed arguments, or their text if they aren't valid JSON. */
function objectOf(json) {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

const reasonOf = (turn) => (turn.refusal ? "refusal" : FINISH[turn.finish]);

const message = (rest) => ({ id: "msg_1", type: "message", role: "assistant", model: "stub", stop_sequence: null, ...rest });

/** Returns the events of a stream, as text on the wire. */
export function events(turn) {
  const input_tokens = turn.usage?.prompt ?? 0;
  const list = [
    { type: "message_start", message: message({ content: [], stop_reason: null, usage: { input_tokens, output_tokens: 1 } }) },
  ];
  for (const [index, { block, empty, deltas }] of blocksOf(turn).entries()) {
    list.push({ type: "content_block_start", index, content_block: { ...block, ...empty } });
    for (const delta of deltas) list.push({ type: "content_block_delta", index, delta });
    list.push({ type: "content_block_stop", index });
  }
  list.splice(2, 0, { type: "ping" });
  if (turn.error) return [...list, errorBody(turn.error)].map(wire);
  const usage = { output_tokens: turn.usage?.completion ?? 0 };
  list.push(
    { type: "message_delta", delta: { stop_reason: reasonOf(turn), stop_sequence: null }, usage },
    { type: "message_stop" },
  );
  return list.map(wire);
}

const wire = (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Returns the complete body. */
export function body(turn) {
  return message({
    content: blocksOf(turn).map(({ block }) => block),
    stop_reason: reasonOf(turn),
    usage: { input_tokens: turn.usage?.prompt ?? 0, output_tokens: turn.usage?.completion ?? 0 },
  });
}

export function errorBody({ message, type = "api_error" }) {
  return { type: "error", error: { type, message } };
}

/** Returns the reason why the interface would reject a request, or undefined. */
export function faultOf({ messages, max_tokens }) {
  if (!Array.isArray(messages)) return "messages: Field required";
  if (!Number.isInteger(max_tokens)) return "max_tokens: Field required";
  let open = [];
  for (const [at, { role, content }] of messages.entries()) {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    if (!Array.isArray(blocks) || blocks.length === 0) return `messages.${at}: content must not be empty`;
    if (blocks.some(({ type, text }) => type === "text" && text === ""))
      return `messages.${at}: text content blocks must be non-empty`;
    const results = blocks.filter(({ type }) => type === "tool_result").map(({ tool_use_id }) => tool_use_id);
    if (role === "user" && results.toSorted().join() !== open.toSorted().join()) {
      return `messages.${at}: the tool_use ids ${open} need tool_result blocks right after them; there are [${results}]`;
    }
    const uses = blocks.filter(({ type }) => type === "tool_use");
    if (uses.some(({ input }) => typeof input !== "object" || input === null)) return `messages.${at}: input should be an object`;
    if (blocks.some(({ type, signature }) => type === "thinking" && !signature))
      return `messages.${at}: signature: Field required`;
    open = role === "assistant" ? uses.map(({ id }) => id) : [];
  }
  return open.length > 0 ? `the tool_use ids ${open} have no tool_result` : undefined;
}
