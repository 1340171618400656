// Bedrock's Converse, streamed as binary messages:
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
import { bytesOfMessages, messagesOf } from "../../tests/fixtures/quirks/frames.mjs";
import { readCases } from "./cases.mjs";
import { argumentText, cutIntoTokens, proseTokens } from "./tokens.mjs";

const TEXT_EVENTS = 1200;
const ARGUMENT_CHARACTERS = 1400;
/** The text that padding is cut from. */
const PADDING = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

export default readCases("Bedrock", "bedrock reads", textAndCall);

/** @import { Random } from "../random.mjs" */
/** @import { Stream } from "./cases.mjs" */

/** @param {number} scale @param {Random} random @returns {Stream<Record<string, object>>} */
function textAndCall(scale, random) {
  const tokens = proseTokens(random, Math.ceil(TEXT_EVENTS * scale));
  const call = {
    id: `tooluse_${random.letters(22)}`,
    name: "timetable",
    arguments: argumentText(random, Math.ceil(ARGUMENT_CHARACTERS * scale)),
  };
  const output = tokens.length + 40;
  const padded = (/** @type {string} */ name, /** @type {object} */ payload) => ({
    [name]: { ...payload, p: PADDING.slice(0, random.integer(1, PADDING.length)) },
  });
  const delta = (/** @type {number} */ contentBlockIndex, /** @type {object} */ delta) =>
    padded("contentBlockDelta", { contentBlockIndex, delta });
  return {
    events: [
      padded("messageStart", { role: "assistant" }),
      ...tokens.map((text) => delta(0, { text })),
      padded("contentBlockStop", { contentBlockIndex: 0 }),
      padded("contentBlockStart", { contentBlockIndex: 1, start: { toolUse: { toolUseId: call.id, name: call.name } } }),
      ...cutIntoTokens(random, call.arguments).map((input) => delta(1, { toolUse: { input } })),
      padded("contentBlockStop", { contentBlockIndex: 1 }),
      padded("messageStop", { stopReason: "tool_use" }),
      padded("metadata", {
        usage: { inputTokens: 472, outputTokens: output, totalTokens: 472 + output },
        metrics: { latencyMs: 5210 },
      }),
    ],
    wire: (event) => bytesOfMessages(messagesOf([event]), JSON.stringify),
    expected: { text: tokens.join(""), toolCalls: [call], finishReason: "tool_use", usage: { input: 472, output } },
  };
}
