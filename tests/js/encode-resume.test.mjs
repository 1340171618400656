// Deltas as the source of an encoder: a late client reads the same as one that was connected from the beginning.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { collect, StreamAccumulator, streamDeltas } from "respool";
import { StreamEncoder, translateStream } from "respool/encode";
import { callChunk, chunk } from "./answers.mjs";
import { collect as listOf } from "./sources.mjs";

const TARGETS = ["openai-chat", "openai-responses", "anthropic-messages"];
const STREAM = [
  { choices: [{ delta: { reasoning_content: "H" } }] },
  { choices: [{ delta: { reasoning_content: "m." } }] },
  chunk("I lo"),
  chunk("ok it up."),
  callChunk({ index: 0, id: "a", function: { name: "tide", arguments: '{"po' } }),
  callChunk({ index: 1, id: "b", function: { name: "wind", arguments: '{"x"' } }),
  callChunk({ index: 0, function: { arguments: 'rt":"Bodø"}' } }),
  callChunk({ index: 1, function: { arguments: ":1}" } }),
  chunk("", "tool_calls"),
  { choices: [], usage: { prompt_tokens: 9, completion_tokens: 6, total_tokens: 15 } },
];
const deltas = await listOf(streamDeltas(STREAM, { coalesce: false }));
const OPTIONS = { id: "answer-1", model: "m", includeUsage: true };

const textOf = (bytes) => new TextDecoder().decode(bytes);

/** Reads the output as a client does. */
async function readBack(api, text) {
  const result = await collect([text], { api });
  const { usage, finishReason, toolCalls } = result;
  const reasoning = result.response.message.filter?.((part) => part.type === "reasoning").map((part) => part.text);
  return { text: result.text, reasoning, toolCalls, finishReason, total: usage?.totalTokens };
}

function written(api, resume, rest) {
  const encoder = new StreamEncoder(api, { ...OPTIONS, resume });
  const text = [...rest.map((delta) => encoder.push(delta)), encoder.finish()].map(textOf).join("");
  encoder.free();
  return text;
}

for (const api of TARGETS) {
  describe(api, () => {
    test("from every delta on", async () => {
      const whole = await readBack(api, written(api, [], deltas));
      assert.equal(whole.text, "I look it up.");
      assert.deepEqual(
        whole.toolCalls.map((call) => call.arguments),
        ['{"port":"Bodø"}', '{"x":1}'],
      );
      for (let at = 0; at <= deltas.length; at++) {
        assert.deepEqual(await readBack(api, written(api, deltas.slice(0, at), deltas.slice(at))), whole, `at ${at}`);
      }
    });

    test("from an accumulator's catchUp", async () => {
      const whole = await readBack(api, written(api, [], deltas));
      for (let at = 0; at <= STREAM.length; at++) {
        const answer = new StreamAccumulator();
        for (const event of STREAM.slice(0, at)) answer.push(event);
        const missed = answer.catchUp();
        const rest = STREAM.slice(at).flatMap((event) => answer.push(event));
        assert.equal(answer.finish().ending, "complete");
        rest.push(...answer.takeDeltas());
        answer.free();
        assert.deepEqual(await readBack(api, written(api, missed, rest)), whole, `at ${at}`);
      }
    });

    test("translateStream of deltas", async () => {
      const whole = await readBack(api, written(api, [], deltas));
      const { stream, result } = translateStream(streamDeltas(STREAM), { to: api, ...OPTIONS });
      assert.deepEqual(await readBack(api, await new Response(stream).text()), whole);
      assert.equal((await result).toolCalls.length, 2);
      const resumed = translateStream(deltas.slice(4), { to: api, ...OPTIONS, resume: new Set(deltas.slice(0, 4)) });
      assert.deepEqual(await readBack(api, await new Response(resumed.stream).text()), whole);
    });
  });
}

test("the first call writes the missed deltas, as one delta for each part", () => {
  const encoder = new StreamEncoder("anthropic-messages", { ...OPTIONS, resume: deltas.slice(0, -3) });
  const text = textOf(encoder.heartbeat());
  assert.equal(text.match(/event: content_block_start/g).length, 4);
  assert.equal(text.match(/event: content_block_delta/g).length, 4);
  assert.equal(textOf(encoder.push(deltas.at(-3))).includes("content_block_delta"), false);
  encoder.free();
});

test("missed deltas are saved until they are written", () => {
  const encoder = new StreamEncoder("openai-chat", { ...OPTIONS, resume: [{ type: "text", text: "Hi" }] });
  const restored = StreamEncoder.restore(encoder.save());
  assert.match(textOf(restored.push({ type: "text", text: " there" })), /"content":"Hi".*"content":" there"/s);
  assert.throws(() => restored.pushBytes(new Uint8Array(1)), { code: "invalid-chunk" });
  encoder.free();
  restored.free();
});

test("deltas without a finish reason are truncated, unless a done delta follows", async () => {
  const text = [{ type: "text", text: "Hi" }];
  assert.match(written("anthropic-messages", [], text), /event: error/);
  assert.match(written("anthropic-messages", [], [...text, { type: "done" }]), /event: message_stop/);
  const whole = 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n';
  const { stream } = translateStream(streamDeltas([whole]), { to: "anthropic-messages" });
  assert.match(await new Response(stream).text(), /event: message_stop/);
});

test("deltas that are cut off after a finish reason are a failure", async () => {
  const event = (parts, finishReason) =>
    `data: ${JSON.stringify({ candidates: [{ content: { role: "model", parts }, finishReason }] })}\n\n`;
  const cut = event([], "STOP") + event([{ text: "Ebb " }]) + event([{ text: "at" }]);
  for (const source of [[cut], streamDeltas([cut])]) {
    const { stream, result } = translateStream(source, { to: "anthropic-messages" });
    const text = await new Response(stream).text();
    assert.match(text, /event: error/);
    assert.doesNotMatch(text, /message_stop/);
    assert.equal((await result).ending, "truncated");
  }
});

test("an error delta is written as an error", () => {
  const error = { type: "error", error: { code: "provider-error", message: "Busy", providerType: "overloaded_error" } };
  const text = written("anthropic-messages", [{ type: "text", text: "Hi" }], [error]);
  assert.match(text, /event: error\ndata: .*overloaded_error.*Busy/);
});

describe("invalid input and options", () => {
  const refused = (code, message, act) => assert.throws(act, { code, message });
  const open = (options) => new StreamEncoder("openai-chat", options);

  test("chunks and bytes", () => {
    const encoder = open({ resume: [] });
    refused("invalid-chunk", /Expected a delta, got an object/, () => encoder.push(chunk("x")));
    refused("invalid-chunk", /Expected a delta/, () => encoder.pushBytes(new Uint8Array(1)));
    refused("invalid-chunk", /Expected a delta/, () => encoder.push(undefined));
    const throwing = {
      get type() {
        throw new Error("the getter threw");
      },
    };
    refused("invalid-chunk", /the getter threw/, () => encoder.push(throwing));
    encoder.free();
  });

  test("options", () => {
    refused("invalid-option", /options\.resume must be an iterable/, () => open({ resume: 5 }));
    refused("invalid-option", /options\.resume\[0\] must be a delta/, () => open({ resume: [1] }));
    refused("invalid-option", /options\.api can't be combined/, () => open({ resume: [], api: "openai-chat" }));
    const encoder = open();
    refused("invalid-option", /for new encoders/, () => StreamEncoder.restore(encoder.save(), { resume: [] }));
    encoder.free();
  });
});
