// Google's Interactions API. https://ai.google.dev/api/interactions-api
import { argumentsOf, cutInTwo, piecesOf } from "./turn.mjs";

export const name = "gemini-interactions";
export const path = "/v1beta/interactions";

const STATUS = { complete: "completed", length: "incomplete", content_filter: "failed", tool_use: "requires_action" };

const usageOf = ({ prompt, completion }) => ({
  total_input_tokens: prompt,
  total_output_tokens: completion,
  total_tokens: prompt + completion,
});

const interactionOf = (turn) => ({
  id: "v1_stub",
  object: "interaction",
  model: "stub",
  status: STATUS[turn.finish],
  ...(turn.usage && { usage: usageOf(turn.usage) }),
});

const apiEvent = (event_type, rest) => ({ event_type, ...rest });

/** Returns the steps of the answer: the start of each, and its deltas. */
function stepsOf(turn) {
  const summary = piecesOf(turn.reasoning).map((text) => ({ type: "thought_summary", content: { type: "text", text } }));
  const thought = [...summary, { type: "thought_signature", signature: "c2lnbmVk" }];
  const text = piecesOf(turn.text).map((piece) => ({ type: "text", text: piece }));
  const calls = turn.toolCalls.map(({ id, name, arguments: given }) => ({
    start: { type: "function_call", id, name, arguments: {} },
    deltas: cutInTwo(argumentsOf(given)).map((piece) => ({ type: "arguments_delta", arguments: piece })),
  }));
  return [
    ...(summary.length > 0 ? [{ start: { type: "thought" }, deltas: thought }] : []),
    ...(text.length > 0 ? [{ start: { type: "model_output" }, deltas: text }] : []),
    ...calls,
  ];
}

/** Returns the events of a stream, as text on the wire. */
export function events(turn) {
  const steps = stepsOf(turn).flatMap(({ start, deltas }, index) => [
    apiEvent("step.start", { index, step: start }),
    ...deltas.map((delta) => apiEvent("step.delta", { index, delta })),
    apiEvent("step.stop", { index }),
  ]);
  const { usage: _, ...begun } = interactionOf(turn);
  const created = apiEvent("interaction.created", { interaction: { ...begun, status: "in_progress" } });
  const end = turn.error
    ? apiEvent("error", errorBody(turn.error))
    : apiEvent("interaction.completed", { interaction: interactionOf(turn) });
  return [...[created, ...steps, end].map(wire), "event: done\ndata: [DONE]\n\n"];
}

const wire = (event) => `event: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Returns the parsed arguments, or their text if they aren't valid JSON. */
function objectOf(json) {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** Returns the complete body. */
export function body(turn) {
  const text = piecesOf(turn.text).join("");
  const summary = piecesOf(turn.reasoning).join("");
  const steps = [
    ...(summary ? [{ type: "thought", summary: [{ type: "text", text: summary }], signature: "c2lnbmVk" }] : []),
    ...(text ? [{ type: "model_output", content: [{ type: "text", text }] }] : []),
    ...turn.toolCalls.map(({ id, name, arguments: given }) => ({
      type: "function_call",
      id,
      name,
      arguments: objectOf(argumentsOf(given)),
    })),
  ];
  return { ...interactionOf(turn), steps };
}

export function errorBody({ message, type = "internal" }) {
  return { error: { code: type, message } };
}

/** Returns the reason why the interface would reject a request, or undefined. */
export function faultOf({ input, tools = [] }) {
  if (!Array.isArray(input) || input.length === 0) return "input is not specified";
  const unnamed = tools.find(({ type, name }) => type === "function" && typeof name !== "string");
  if (unnamed) return "tools: a function needs a name";
  const open = new Set();
  for (const [at, { type, id, call_id, result, content, ...step }] of input.entries()) {
    if (type === "function_call") {
      if (!isObject(step.arguments)) return `input[${at}]: arguments must be an object`;
      open.add(id);
    } else if (type === "function_result") {
      if (!open.delete(call_id)) return `input[${at}]: no call ${call_id} is open`;
      if (!Array.isArray(result) || result.some((part) => part.type === "text" && typeof part.text !== "string"))
        return `input[${at}]: a result must be a list of contents`;
    } else if (type === "user_input" || type === "model_output") {
      if (open.size > 0) return `input[${at}]: the calls ${[...open]} have no result`;
      if (!Array.isArray(content) || content.length === 0) return `input[${at}]: content must not be empty`;
    } else if (type !== "thought") return `input[${at}]: there is no step ${type}`;
  }
  return open.size > 0 ? `the calls ${[...open]} have no result` : undefined;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
