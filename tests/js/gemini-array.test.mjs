// `streamGenerateContent` without `alt=sse`: the stream is one JSON array, which is a whole response once it is parsed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode, detectApi, process, processAsync } from "respool";
import { translateResponse } from "respool/encode";

const part = (text, rest = {}) => ({ candidates: [{ content: { role: "model", parts: [{ text }] }, index: 0, ...rest }] });
const chunks = [
  part("Boats leave "),
  part("at nine."),
  { ...part("", { finishReason: "STOP" }), usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 6, totalTokenCount: 11 } },
];
const text = "Boats leave at nine.";
const error = { error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } };
/** Returns the array in Google's layout. */
const written = (items) => `[${items.map((item) => JSON.stringify(item, null, 2)).join("\n,\r\n")}\n]\n`;
const response = (items) => new Response(written(items), { headers: { "content-type": "application/json; charset=UTF-8" } });

describe("the whole array", () => {
  test("is decoded like its stream, from objects, text and bytes", () => {
    for (const body of [chunks, written(chunks), new TextEncoder().encode(written(chunks))]) {
      const { message, finishReason, usage } = decode(body);
      assert.deepEqual([message, finishReason, usage.outputTokens], [text, "complete", 6]);
      assert.equal(process({}, body), text);
    }
    assert.equal(detectApi(chunks), "gemini");
  });

  test("fails like its stream: with an error alone, and with one after part of the answer", () => {
    for (const items of [[error], [...chunks.slice(0, 1), error]]) {
      const failure = { code: "provider-error", message: "The model is overloaded.", providerType: "UNAVAILABLE" };
      assert.throws(() => decode(items), failure);
      assert.throws(() => process({}, items), failure);
    }
  });

  test("is rejected if its items aren't Gemini's chunks", () => {
    const body = { choices: [{ message: { content: "Hi" } }] };
    for (const items of [[], [[chunks[0]]], [body, body], [1], ["a"]]) {
      assert.throws(() => decode(items), { code: "unknown-response" });
    }
  });
});

describe("the array as it arrives", () => {
  test("is read to its end by processAsync", async () => {
    assert.equal(await processAsync({}, response(chunks)), text);
    const bytes = new TextEncoder().encode(` ${written(chunks)}`);
    for (const size of [1, 2, 7, 100]) {
      const reads = Array.from({ length: Math.ceil(bytes.length / size) }, (_, nth) =>
        bytes.subarray(nth * size, (nth + 1) * size),
      );
      assert.equal(await processAsync({}, reads), text, `${size} bytes a read`);
    }
    await assert.rejects(processAsync({}, response([error])), { code: "provider-error" });
  });

  test("is translated while it arrives", async () => {
    const pieces = [`[${JSON.stringify(chunks[0])}`, `,\n${JSON.stringify(chunks[1])}`];
    let isOver = false;
    const body = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
        else return new Promise(() => {}); // the rest never comes
      },
      cancel() {
        isOver = true;
      },
    });
    const upstream = new Response(body, { headers: { "content-type": "application/json" } });
    const translated = await translateResponse(upstream, { to: "openai-chat" });
    const reader = translated.body.getReader();
    let seen = "";
    while (!seen.includes("at nine.")) seen += new TextDecoder().decode((await reader.read()).value);
    assert.match(seen, /"content":"Boats leave "/);
    await reader.cancel();
    assert.ok(isOver);
  });
});
