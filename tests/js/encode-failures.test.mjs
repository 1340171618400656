// A stream that ends too early, at each of its events: the providers' own clients never read the output as a success.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StreamEncoder } from "respool/encode";
import { readBytes } from "./encode-clients.mjs";
import { recordedStreams } from "./encode-fixtures.mjs";

const CLIENT = { "openai-chat": "openai", "openai-responses": "openai", "anthropic-messages": "@anthropic-ai/sdk" };
const STREAMS = recordedStreams();
const NAMES = [
  ...["openai-chat/parallel-tool-calls", "openai-chat/reasoning-content", "openai-responses/function-calls"],
  ...["anthropic-messages/thinking", "anthropic-messages/tool-use", "gemini/calls-with-ids", "bedrock-converse/reasoning"],
];

/** The ways in which a stream can end too early. */
const ENDS = {
  "is cut off": (encoder) => encoder.finish(),
  "is aborted": (encoder) => encoder.abort("enough"),
  "fails with a status": (encoder) => encoder.fail({ message: "Slow down", status: 429 }),
  "reports an error": (encoder) => {
    const error = new TextEncoder().encode(
      'data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    );
    return Buffer.concat([encoder.pushBytes(error), encoder.finish()]);
  },
};

/** Returns the offset after each event. */
function endsOf(bytes) {
  const text = Buffer.from(bytes).toString("latin1");
  return Array.from(text.matchAll(/\n\n/g), ({ index }) => index + 2);
}

/** Returns the output for the beginning of a stream that then ends early; undefined if it was already complete. */
function ended(to, bytes, end) {
  const encoder = new StreamEncoder(to);
  try {
    const before = encoder.pushBytes(bytes);
    const last = end(encoder);
    const isOver = last.length === 0 || encoder.result.ending === "complete";
    return isOver ? undefined : Buffer.concat([before, last]);
  } finally {
    encoder.free();
  }
}

for (const to of Object.keys(CLIENT)) {
  describe(to, () => {
    for (const name of NAMES) {
      for (const [how, end] of Object.entries(ENDS)) {
        test(`${name} ${how}`, async () => {
          const bytes = STREAMS.get(name);
          let count = 0;
          for (const at of [0, ...endsOf(bytes)]) {
            const written = ended(to, bytes.subarray(0, at), end);
            if (written === undefined) continue;
            count += 1;
            await assert.rejects(readBytes(to, CLIENT[to], written), `after ${at} bytes: ${written}`);
          }
          assert.ok(count > 0);
        });
      }
    }
  });
}

test("[DONE] after unreadable events is a failure", async () => {
  const events = 'data: {"weather":"calm"}\n\ndata: [DONE]\n\n';
  const OTHERS = { "an unknown interface": [events, {}], "an excluded interface": [STREAMS.get(NAMES[1]), { api: "gemini" }] };
  for (const to of Object.keys(CLIENT)) {
    for (const [name, [input, options]] of Object.entries(OTHERS)) {
      const encoder = new StreamEncoder(to, options);
      const written = Buffer.concat([encoder.pushBytes(Buffer.from(input)), encoder.finish()]);
      assert.equal(encoder.result.error.code, "unknown-response", name);
      encoder.free();
      await assert.rejects(readBytes(to, CLIENT[to], written), `${name}: ${written}`);
    }
  }
});
