// Servers that leave the connection open after the end of the answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { collect, processAsync, processStream, runRequest, StreamAccumulator, StreamDeltas, streamDeltas, tap } from "respool";
import { toUIMessageStream } from "respool/ai-sdk";
import { StreamEncoder, translateStream } from "respool/encode";

const encode = (text) => new TextEncoder().encode(text);
const event = (data) => `data: ${JSON.stringify(data)}\n\n`;

const CHAT = [
  event({ choices: [{ index: 0, delta: { role: "assistant", content: "Hi" } }] }),
  event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
];
const DONE = "data: [DONE]\n\n";
const ENDS = {
  "openai-chat": [...CHAT, DONE],
  "openai-responses": [
    event({ type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "msg_1", delta: "Hi" }),
    event({
      type: "response.completed",
      response: {
        object: "response",
        status: "completed",
        output: [{ type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "Hi" }] }],
      },
    }),
  ],
  "anthropic-messages": [
    event({ type: "message_start", message: { type: "message", role: "assistant", content: [] } }),
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } }),
    event({ type: "message_delta", delta: { stop_reason: "end_turn" } }),
    event({ type: "message_stop" }),
  ],
};

/**
 * A stream that stays open. Writes `beat` again and again if there is one.
 *
 * @param {string[]} pieces
 * @param {string} [beat]
 */
function leftOpen(pieces, beat) {
  const state = { isCancelled: false };
  let timer;
  const source = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encode(piece));
      if (beat !== undefined) timer = setInterval(() => controller.enqueue(encode(beat)), 100);
    },
    cancel() {
      state.isCancelled = true;
      clearInterval(timer);
    },
  });
  return { source, state };
}

const respond = (source) => new Response(source, { headers: { "content-type": "text/event-stream" } });

for (const [api, pieces] of Object.entries(ENDS)) {
  test(`${api}: the answer ends although the connection is left open`, { timeout: 20_000 }, async () => {
    const { source, state } = leftOpen(pieces);
    const result = await collect(respond(source));
    assert.deepEqual([result.text, result.ending, result.warnings], ["Hi", "complete", []]);
    assert.ok(state.isCancelled);
  });
}

test("heartbeats don't delay the end", { timeout: 20_000 }, async () => {
  const { source, state } = leftOpen(ENDS["openai-chat"], ": ping\n\n");
  const result = await collect(respond(source));
  assert.equal(result.ending, "complete");
  assert.ok(state.isCancelled);
});

test("usage that follows the end at once is read", { timeout: 20_000 }, async () => {
  const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
  const { source } = leftOpen([...CHAT, DONE, event({ choices: [], usage })]);
  assert.equal((await collect(respond(source))).usage.outputTokens, 1);
});

test("a finish reason alone doesn't end the answer: usage may follow late", { timeout: 20_000 }, async () => {
  async function* late() {
    for (const piece of CHAT) yield piece;
    await sleep(1500);
    yield event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } });
  }
  assert.equal((await collect(late())).usage.totalTokens, 4);
});

test("an answer that goes on after a mark isn't cut", { timeout: 20_000 }, async () => {
  const more = event({ choices: [{ index: 0, delta: { content: "!" } }] });
  const read = async (reader) => {
    async function* goingOn() {
      yield* [...CHAT, DONE].map(encode);
      for (let i = 0; i < 3; i++) {
        await sleep(600);
        yield encode(more);
      }
    }
    return reader(goingOn());
  };
  const [collected, translated] = await Promise.all([
    read(collect),
    read(async (source) => {
      const { stream, result } = translateStream(source, { to: "openai-chat" });
      await new Response(stream).text();
      return result;
    }),
  ]);
  assert.deepEqual([collected.text, translated.text], ["Hi!!!", "Hi!!!"]);
});

test("only waiting counts: usage is read although the caller is slow", { timeout: 20_000 }, async () => {
  const usage = event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } });
  async function* pieces() {
    yield CHAT.join("") + DONE;
    yield ": ping\n\n";
    await sleep(50);
    yield usage;
  }
  const deltas = streamDeltas(pieces());
  for await (const delta of deltas) if (delta.type !== "usage") await sleep(700);
  assert.equal(deltas.result.usage.totalTokens, 4);
});

test("a stall while the source is being closed changes nothing", { timeout: 20_000 }, async () => {
  async function* closingSlowly() {
    try {
      yield* CHAT;
    } finally {
      await sleep(300);
    }
  }
  const request = { transport: async () => closingSlowly(), messages: [], stallTimeoutMs: 100 };
  const result = await runRequest({ ...request, limits: { maxTotalBytes: 50 } }).result();
  assert.deepEqual([result.state, result.failure.code], ["failed", "unknown_error"]);
});

test("every reader ends", { timeout: 20_000 }, async () => {
  const open = () => respond(leftOpen(ENDS["openai-chat"]).source);
  const all = async (items) => {
    const list = [];
    for await (const item of items) list.push(item);
    return list;
  };
  const run = runRequest({ transport: async () => open(), messages: [] });
  const translated = translateStream(open(), { to: "anthropic-messages" });
  const [deltas, pieces, value, ui, request, text] = await Promise.all([
    all(streamDeltas(open())),
    all(processStream({}, open())),
    processAsync({}, open()),
    all(toUIMessageStream(open())),
    run.result(),
    new Response(translated.stream).text(),
  ]);
  assert.deepEqual(
    deltas.map(({ type }) => type),
    ["text", "finish"],
  );
  assert.deepEqual(pieces, ["Hi"]);
  assert.equal(value, "Hi");
  assert.equal(ui.at(-1).type, "finish");
  assert.deepEqual([request.state, request.text], ["completed", "Hi"]);
  assert.match(text, /"type":"message_stop"/);
  assert.equal((await translated.result).ending, "complete");
});

test("tap passes all bytes, and its result doesn't wait for more", { timeout: 20_000 }, async () => {
  const { source, state } = leftOpen(ENDS["openai-chat"], ": ping\n\n");
  const { response, result } = tap(respond(source));
  const reader = response.body.getReader();
  let isOver = false;
  const reading = (async () => {
    let text = "";
    while (!isOver) text += new TextDecoder().decode((await reader.read()).value);
    return text;
  })();
  assert.equal((await result).ending, "complete");
  assert.equal(state.isCancelled, false);
  isOver = true;
  assert.match(await reading, /\[DONE\]\n\n(: ping\n\n)+$/);
  await reader.cancel();
  assert.ok(state.isCancelled);
});

test("StreamDeltas ends, and closes the source", { timeout: 20_000 }, async () => {
  for (const beat of [undefined, ": ping\n\n"]) {
    const { source, state } = leftOpen(ENDS["openai-chat"], beat);
    const stream = new StreamDeltas();
    const types = [];
    for await (const { type } of source.pipeThrough(stream)) types.push(type);
    assert.deepEqual(types, ["text", "finish"]);
    assert.equal(stream.result.ending, "complete");
    await sleep(10);
    assert.ok(state.isCancelled);
  }
});

test("a short stallTimeoutMs doesn't make it a failure", { timeout: 20_000 }, async () => {
  const transport = async () => respond(leftOpen(ENDS["openai-chat"]).source);
  const result = await runRequest({ transport, messages: [], stallTimeoutMs: 200 }).result();
  assert.deepEqual([result.state, result.text], ["completed", "Hi"]);
});

for (const Reader of [StreamAccumulator, StreamEncoder]) {
  test(`${Reader.name}: isDone`, () => {
    const reader = Reader === StreamEncoder ? new StreamEncoder("anthropic-messages") : new StreamAccumulator();
    for (const piece of CHAT) {
      reader.pushBytes(encode(piece));
      assert.equal(reader.isDone, false);
    }
    reader.pushBytes(encode(DONE));
    assert.equal(reader.isDone, true);
    reader.finish();
    assert.equal(reader.isDone, true);
    reader.free();
  });
}
