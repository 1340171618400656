// Deltas of a request as the source of an encoder: all turns become one response.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { collect, runRequest, tool } from "respool";
import { StreamEncoder } from "respool/encode";
import { callChunk, chunk } from "./answers.mjs";
import { collect as listOf } from "./sources.mjs";

const usage = (count) => ({ choices: [], usage: { prompt_tokens: count, completion_tokens: 1, total_tokens: count + 1 } });
const call = (id, port) => callChunk({ index: 0, id, function: { name: "tide", arguments: JSON.stringify({ port }) } });

/** Returns the deltas of a request with three turns. */
function deltasOf(ids) {
  const turns = [
    [chunk("I look it up."), call(ids[0], "Bodø"), chunk("", "tool_calls"), usage(10)],
    [call(ids[1], "Oslo"), chunk("", "tool_calls"), usage(20)],
    [chunk("Six and eight."), chunk("", "stop"), usage(30)],
  ];
  const tide = tool({ description: "Tides", parameters: { type: "object" }, execute: () => "6" });
  const transport = () => turns.shift();
  return listOf(runRequest({ transport, messages: [{ role: "user", content: "Tides?" }], tools: { tide } }));
}

for (const api of ["openai-chat", "openai-responses", "anthropic-messages"]) {
  describe(api, () => {
    for (const ids of [
      ["a", "b"],
      ["a", "a"],
    ]) {
      test(`calls with the ids ${ids}, whatever was missed`, async () => {
        const deltas = await deltasOf(ids);
        for (let at = 0; at <= deltas.length; at++) {
          const encoder = new StreamEncoder(api, { includeUsage: true, resume: deltas.slice(0, at) });
          const pieces = [...deltas.slice(at).map((delta) => encoder.push(delta)), encoder.finish()];
          const { warnings } = encoder.result;
          encoder.free();
          const read = await collect(pieces, { api });
          assert.deepEqual(
            read.toolCalls.map((call) => call.arguments),
            ['{"port":"Bodø"}', '{"port":"Oslo"}'],
            `at ${at}`,
          );
          assert.equal(read.text, "I look it up.Six and eight.");
          assert.deepEqual([read.usage.inputTokens, read.usage.outputTokens], [60, 3]);
          assert.ok(warnings.every(({ message }) => message.includes("tool-result")));
        }
      });
    }
  });
}
