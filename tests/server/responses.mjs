// OpenAI Responses. https://platform.openai.com/docs/api-reference/responses
import { argumentsOf, cutInTwo, piecesOf } from "./turn.mjs";

export const name = "openai-responses";
export const path = "/v1/responses";

const envelope = (status, rest) => ({ id: "resp_1", object: "response", created_at: 1763680412, model: "stub", status, ...rest });

/** Returns the output items of the answer. */
function itemsOf(turn) {
  const items = [];
  const reasoning = piecesOf(turn.reasoning).join("");
  if (reasoning) {
    items.push({
      id: "rs_1",
      type: "reasoning",
      summary: [{ type: "summary_text", text: reasoning }],
      encrypted_content: "c2VjcmV0",
    });
  }
  const content = [];
  const [text, refusal] = [piecesOf(turn.text).join(""), piecesOf(turn.refusal).join("")];
  if (text) content.push({ type: "output_text", text, annotations: [] });
  if (refusal) content.push({ type: "refusal", refusal });
  if (content.length > 0) items.push({ id: "msg_1", type: "message", role: "assistant", status: "completed", content });
  for (const { id, name, arguments: given, item } of turn.toolCalls) {
    items.push(
      item ?? { id: `fc_${id}`, type: "function_call", status: "completed", call_id: id, name, arguments: argumentsOf(given) },
    );
  }
  return items;
}

/** Returns the response at the end of the stream, which is also the complete body. */
function endOf(turn) {
  const output = itemsOf(turn);
  const usage = turn.usage && {
    input_tokens: turn.usage.prompt,
    output_tokens: turn.usage.completion,
    total_tokens: turn.usage.prompt + turn.usage.completion,
  };
  if (turn.error)
    return envelope("failed", { output, error: { code: turn.error.type ?? "server_error", message: turn.error.message } });
  const reason = { length: "max_output_tokens", content_filter: "content_filter" }[turn.finish];
  return envelope(reason ? "incomplete" : "completed", {
    output,
    ...(reason && { incomplete_details: { reason } }),
    ...(usage && { usage }),
  });
}

/** Yields the events with the parts of an item. */
function* growth(item, output_index, turn) {
  const place = { item_id: item.id, output_index };
  if (item.type === "reasoning") {
    const part = { ...place, summary_index: 0 };
    yield { type: "response.reasoning_summary_part.added", ...part, part: { type: "summary_text", text: "" } };
    for (const delta of piecesOf(turn.reasoning)) yield { type: "response.reasoning_summary_text.delta", ...part, delta };
  } else if (item.type === "function_call") {
    for (const delta of cutInTwo(item.arguments)) yield { type: "response.function_call_arguments.delta", ...place, delta };
    yield { type: "response.function_call_arguments.done", ...place, arguments: item.arguments };
  } else if (item.type === "message") {
    for (const [content_index, part] of item.content.entries()) {
      const kind = part.type;
      const at = { ...place, content_index };
      yield { type: "response.content_part.added", ...at, part: { type: kind, [kind === "refusal" ? "refusal" : "text"]: "" } };
      for (const delta of piecesOf(kind === "refusal" ? turn.refusal : turn.text))
        yield { type: `response.${kind}.delta`, ...at, delta };
    }
  }
}

const EMPTY = { reasoning: { summary: [] }, function_call: { arguments: "" }, message: { content: [] } };

/** Returns the events of a stream, as text on the wire. */
export function events(turn) {
  const end = endOf(turn);
  const list = [{ type: "response.created", response: envelope("in_progress", { output: [] }) }];
  for (const [output_index, item] of end.output.entries()) {
    list.push({ type: "response.output_item.added", output_index, item: { ...item, ...EMPTY[item.type] } });
    list.push(...growth(item, output_index, turn));
    list.push({ type: "response.output_item.done", output_index, item });
  }
  list.push({ type: `response.${end.status}`, response: end });
  return list.map((event, sequence_number) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`);
}

/** The complete body. */
export const body = endOf;

export function errorBody({ message, type = "server_error" }) {
  return { error: { message, type, param: null, code: null } };
}

/** Returns the reason why the interface would reject a request, or undefined. */
export function faultOf({ input }) {
  if (!Array.isArray(input)) return typeof input === "string" ? undefined : "input is missing";
  const open = new Map();
  for (const [at, item] of input.entries()) {
    if (item.type === "reasoning" && !isFollowed(input, at)) return `input[${at}]: reasoning without the item that followed it`;
    if (item.type?.endsWith("_call")) open.set(item.call_id, item.type);
    if (!item.type?.endsWith("_output")) continue;
    const id = item.call_id ?? item.id;
    const expected = open.get(id);
    const answered = expected === "tool_search_call" ? "tool_search_output" : `${expected}_output`;
    if (answered !== item.type) return `input[${at}]: ${item.type} answers no call ${id}`;
    const isRight =
      typeof item.output === "string" ||
      typeof item.output === "object" ||
      item.type === "tool_search_output" ||
      item.type === "apply_patch_call_output";
    if (!isRight) return `input[${at}]: there is no output`;
    open.delete(id);
  }
  return open.size > 0 ? `no output for the calls ${[...open.keys()]}` : undefined;
}

const isFollowed = (input, at) => input[at + 1]?.role === "assistant" || (input[at + 1]?.type?.endsWith("_call") ?? false);
