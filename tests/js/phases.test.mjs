// Messages of OpenAI Responses with phases: commentary, and the final answer.
import assert from "node:assert/strict";
import { test } from "node:test";

import { decode, formatToolMessages, processAsync, processResponse, RAW_JSON, streamDeltas } from "respool";
import { toUIMessageStream } from "respool/ai-sdk";

const AGENT = { outputs: [{ name: "port" }] };
const JSON_TEXT = '{"port": "Brest"}';

/** Returns a message of the response. */
const message = (phase, text) => ({
  type: "message",
  id: `msg_${phase}`,
  role: "assistant",
  status: "completed",
  phase,
  content: [{ type: "output_text", text, annotations: [] }],
});

const OUTPUT = [message("commentary", "Wait. "), message("final_answer", JSON_TEXT)];
const BODY = { id: "resp_1", object: "response", status: "completed", model: "m", output: OUTPUT };

const EVENTS = [
  ...OUTPUT.flatMap((item, index) => [
    { type: "response.output_item.added", output_index: index, item: { ...item, content: [] } },
    { type: "response.output_text.delta", output_index: index, content_index: 0, delta: item.content[0].text },
    { type: "response.output_item.done", output_index: index, item },
  ]),
  { type: "response.completed", response: BODY },
];

/** Returns all items of a stream. */
async function all(stream) {
  const items = [];
  for await (const item of stream) items.push(item);
  return items;
}

test("JSON is parsed from the final answer alone", async () => {
  for (const value of [processResponse(AGENT, BODY), await processAsync(AGENT, EVENTS)]) {
    assert.deepEqual([value.port, value[RAW_JSON]], ["Brest", JSON_TEXT]);
  }
  for (const text of [processResponse({}, BODY), await processAsync({}, EVENTS)]) assert.equal(text, `Wait. ${JSON_TEXT}`);
});

test("a delta reports the phase of the text that follows", async () => {
  const deltas = await all(streamDeltas(EVENTS, { coalesce: false }));
  const emitted = deltas.filter(({ type }) => type === "phase" || type === "text").map(({ phase, text }) => phase ?? text);
  assert.deepEqual(emitted, ["commentary", "Wait. ", "final_answer", JSON_TEXT]);
});

test("a page gets the texts of two phases as two parts", async () => {
  const chunks = await all(toUIMessageStream(EVENTS));
  assert.equal(chunks.filter(({ type }) => type === "text-start").length, 2);
});

test("the phase is sent back", () => {
  const call = { type: "function_call", id: "fc_1", call_id: "c1", name: "tide", arguments: "{}", status: "completed" };
  const response = decode({ ...BODY, output: [OUTPUT[0], call] });
  assert.deepEqual(response.message, [{ type: "text", text: "Wait. ", phase: "commentary" }]);
  const calls = [{ id: "c1", name: "tide", arguments: "{}" }];
  const [first] = formatToolMessages("openai-responses", response, calls, ["low"]);
  assert.deepEqual(first, OUTPUT[0]);
});
