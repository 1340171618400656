// OpenAI Responses, streamed: https://platform.openai.com/docs/api-reference/responses-streaming
import { objectCase, readCases } from "./cases.mjs";
import { argumentText, cutIntoTokens, proseTokens } from "./tokens.mjs";

const TEXT_EVENTS = 1200;
const ARGUMENT_CHARACTERS = 1400;

export default [
  ...readCases("Responses", "responses reads", textAndCall),
  objectCase("Responses", "responses objects", textAndCall),
];

/** @import { Random } from "../random.mjs" */
/** @import { Stream } from "./cases.mjs" */

/** @param {number} scale @param {Random} random @returns {Stream<{ type: string }>} */
function textAndCall(scale, random) {
  const tokens = proseTokens(random, Math.ceil(TEXT_EVENTS * scale));
  const args = argumentText(random, Math.ceil(ARGUMENT_CHARACTERS * scale));
  const call = { id: `call_${random.letters(24)}`, name: "timetable", arguments: args };
  const text = tokens.join("");
  const output = tokens.length + 40;
  const usage = {
    input_tokens: 57,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: output + 57,
  };
  const response = responseOf(`resp_${random.letters(48)}`);
  const part = { type: "output_text", annotations: [], logprobs: [], text };
  const message = { id: `msg_${random.letters(48)}`, type: "message", status: "completed", content: [part], role: "assistant" };
  const item = {
    id: `fc_${random.letters(48)}`,
    type: "function_call",
    status: "completed",
    arguments: args,
    call_id: call.id,
    name: call.name,
  };
  const inPart = { item_id: message.id, output_index: 0, content_index: 0 };
  const inItem = { item_id: item.id, output_index: 1 };
  const obfuscation = () => random.letters(random.integer(1, 16));

  const events = [
    { type: "response.created", response },
    { type: "response.in_progress", response },
    { type: "response.output_item.added", output_index: 0, item: { ...message, status: "in_progress", content: [] } },
    { type: "response.content_part.added", ...inPart, part: { ...part, text: "" } },
    ...tokens.map((delta) => ({
      type: "response.output_text.delta",
      ...inPart,
      delta,
      logprobs: [],
      obfuscation: obfuscation(),
    })),
    { type: "response.output_text.done", ...inPart, text, logprobs: [] },
    { type: "response.content_part.done", ...inPart, part },
    { type: "response.output_item.done", output_index: 0, item: message },
    { type: "response.output_item.added", output_index: 1, item: { ...item, status: "in_progress", arguments: "" } },
    ...cutIntoTokens(random, args).map((delta) => ({
      type: "response.function_call_arguments.delta",
      ...inItem,
      delta,
      obfuscation: obfuscation(),
    })),
    { type: "response.function_call_arguments.done", ...inItem, arguments: args },
    { type: "response.output_item.done", output_index: 1, item },
    { type: "response.completed", response: { ...response, status: "completed", output: [message, item], usage } },
  ];
  return {
    events: events.map(({ type, ...members }, sequence_number) => ({ type, sequence_number, ...members })),
    wire: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    expected: { text, toolCalls: [call], finishReason: "completed", usage: { input: 57, output } },
  };
}

/** Returns the empty response at the start of a stream. @param {string} id */
function responseOf(id) {
  const parameters = {
    type: "object",
    properties: { port: { type: "string" }, limit: { type: "integer" } },
    required: ["port", "limit"],
    additionalProperties: false,
  };
  return {
    id,
    object: "response",
    created_at: 1763680412,
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: "Answer briefly, and look departures up before you name them.",
    max_output_tokens: null,
    model: "gpt-4.1-mini-2025-04-14",
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: "auto",
    store: true,
    temperature: 1,
    text: { format: { type: "text" }, verbosity: "medium" },
    tool_choice: "auto",
    tools: [{ type: "function", description: "Departures of a port", name: "timetable", parameters, strict: true }],
    top_logprobs: 0,
    top_p: 1,
    truncation: "disabled",
    usage: null,
    user: null,
    metadata: {},
  };
}
