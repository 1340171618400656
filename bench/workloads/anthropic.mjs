// Anthropic Messages, streamed: https://docs.anthropic.com/en/docs/build-with-claude/streaming
import { objectCase, readCases } from "./cases.mjs";
import { argumentText, cutIntoTokens, proseTokens } from "./tokens.mjs";

const TEXT_EVENTS = 1200;
const ARGUMENT_CHARACTERS = 1400;

export default [
  ...readCases("Anthropic", "anthropic reads", textAndCall),
  objectCase("Anthropic", "anthropic objects", textAndCall),
];

/** @import { Random } from "../random.mjs" */
/** @import { Stream } from "./cases.mjs" */

/** @param {number} scale @param {Random} random @returns {Stream<{ type: string, [member: string]: unknown }>} */
function textAndCall(scale, random) {
  const tokens = proseTokens(random, Math.ceil(TEXT_EVENTS * scale));
  const call = {
    id: `toolu_01${random.letters(22)}`,
    name: "timetable",
    arguments: argumentText(random, Math.ceil(ARGUMENT_CHARACTERS * scale)),
  };
  const output = tokens.length + 40;
  const delta = (/** @type {number} */ index, /** @type {object} */ delta) => ({ type: "content_block_delta", index, delta });
  const message = {
    model: "claude-haiku-4-5-20251001",
    id: `msg_01${random.letters(22)}`,
    type: "message",
    role: "assistant",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 472,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens: 2,
      service_tier: "standard",
    },
  };
  return {
    events: [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "ping" },
      ...tokens.map((text) => delta(0, { type: "text_delta", text })),
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: call.id, name: call.name, input: {} } },
      delta(1, { type: "input_json_delta", partial_json: "" }),
      ...cutIntoTokens(random, call.arguments).map((piece) => delta(1, { type: "input_json_delta", partial_json: piece })),
      { type: "content_block_stop", index: 1 },
      { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: output } },
      { type: "message_stop" },
    ],
    wire: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    expected: {
      text: tokens.join(""),
      toolCalls: [call],
      finishReason: "tool_use",
      usage: { input: 472, output },
    },
  };
}
