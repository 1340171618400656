// The option `resume` of respool/ai-sdk and respool/ag-ui: a client that reconnects anywhere gets the same as one that stayed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runRequest, streamDeltas } from "respool";
import { eventsOf } from "./ag-ui-client.mjs";
import { chunksOf, fixture } from "./ai-sdk-streams.mjs";
import { ANTHROPIC_STREAM, chunk } from "./answers.mjs";

const gemini = (...parts) => ({ candidates: [{ content: { role: "model", parts } }] });
const end = { candidates: [{ content: { role: "model", parts: [] }, finishReason: "STOP" }] };
const functionCall = { id: "call_7", name: "tide", args: {} };
const signedCall = [
  gemini({ text: "Hm.", thought: true }),
  gemini({ text: "I look." }),
  gemini({ functionCall, thoughtSignature: "c2lnMg==" }),
  end,
];

/** Each chunk has a finish reason and the usage so far. */
const repeatedlyFinished = ["The ferry ", "leaves ", "at 9:35."].map((text, at) => ({
  ...chunk(text, "stop"),
  usage: { prompt_tokens: 100, completion_tokens: at + 1, total_tokens: 101 + at },
}));

const request = () => {
  const answers = [signedCall, [gemini({ text: "At 9:35." }), end]];
  return runRequest({ api: "gemini", transport: () => answers.shift(), messages: [], tools: { tide: () => "9:35" } });
};

const SOURCES = {
  "signed reasoning": () => streamDeltas(fixture("anthropic-messages/thinking"), { coalesce: false }),
  "a signed call": () => streamDeltas(signedCall, { coalesce: false }),
  "signed text": () => streamDeltas([gemini({ text: "At ", thoughtSignature: "c2lnMw==" }), gemini({ text: "9:35." }), end]),
  "an answer that goes on after its finish reason": () => streamDeltas(repeatedlyFinished),
  "a request": request,
};

const ADAPTERS = { chunksOf, eventsOf };

/** Merges the deltas of each part into the first one. */
function joined(items) {
  const first = new Map();
  return items.flatMap((item) => {
    const text = item.inputTextDelta === undefined ? "delta" : "inputTextDelta";
    const { [text]: added, id, messageId, toolCallId } = item;
    if (added === undefined) return [item];
    const part = `${item.type} ${id ?? messageId ?? toolCallId}`;
    if (first.has(part)) {
      first.get(part)[text] += added;
      return [];
    }
    first.set(part, { ...item });
    return [first.get(part)];
  });
}

/** Returns the first deltas of a source. */
async function take(source, count) {
  const iterator = source[Symbol.asyncIterator]();
  const deltas = [];
  while (deltas.length < count) {
    const { done, value } = await iterator.next();
    if (done) break;
    deltas.push(value);
  }
  return deltas;
}

describe("a client that reconnects gets all of", () => {
  for (const [name, open] of Object.entries(SOURCES))
    for (const [adapter, read] of Object.entries(ADAPTERS))
      test(`${name}, with ${adapter}`, async () => {
        const whole = joined(await read(open()));
        for (let count = 0, isOver = false; !isOver; count++) {
          const source = open();
          const resume = await take(source, count);
          isOver = resume.length < count;
          assert.deepEqual(joined(await read(source, { resume })), whole, `after ${resume.length} deltas`);
        }
      });
});

test("deltas of an earlier answer aren't taken for those of the stream", async () => {
  const earlier = await take(streamDeltas(ANTHROPIC_STREAM), Infinity);
  for (const count of [0, 2, Infinity]) {
    const source = streamDeltas(repeatedlyFinished);
    const resume = [...earlier, ...(await take(source, count))];
    const chunks = await chunksOf(source, { resume });
    assert.equal(chunks.filter(({ type }) => type === "start-step").length, 2);
    assert.equal(chunks.at(-1).messageMetadata.usage.totalTokens, 29 + 103);
  }
  const signed = streamDeltas(signedCall);
  const events = await eventsOf(signed, { resume: [...earlier, ...(await take(signed, 3))] });
  const { entityId } = events.find(({ type }) => type === "REASONING_ENCRYPTED_VALUE");
  assert.equal(entityId, "call_7");
});
