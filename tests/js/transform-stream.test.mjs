// StreamDeltas: the accumulator as a transform stream.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { StreamDeltas, streamDeltas } from "respool";
import { CHAT_STREAM, chunk, sseBytes, sseText } from "./answers.mjs";
import { collect, collectUntilThrown, readable } from "./sources.mjs";

describe("StreamDeltas", () => {
  const SOURCES = {
    bytes: () => new Response(sseBytes(CHAT_STREAM)).body,
    text: () => readable(sseText(CHAT_STREAM)),
    chunks: () => readable(CHAT_STREAM),
    "code units": () =>
      readable(
        sseText([...CHAT_STREAM, chunk("😀")])
          .join("")
          .split(""),
      ),
  };
  for (const [name, make] of Object.entries(SOURCES)) {
    test(name, async () => {
      const deltas = new StreamDeltas();
      assert.equal(deltas.result, undefined);
      const given = await collect(make().pipeThrough(deltas));
      const expected = streamDeltas(make());
      assert.deepEqual(given, await collect(expected));
      assert.deepEqual(deltas.result, expected.result);
      assert.equal(deltas.result.ending, "complete");
    });
  }

  test("it is a TransformStream", () => assert.ok(new StreamDeltas() instanceof TransformStream));

  test("the deltas of an event that only the end of input terminates", async () => {
    const deltas = new StreamDeltas();
    const source = readable([`data: ${JSON.stringify(chunk("late"))}`]);
    assert.deepEqual(await collect(source.pipeThrough(deltas)), [{ type: "text", text: "late" }]);
    assert.equal(deltas.result.ending, "truncated");
  });

  test("options", async () => {
    const source = readable([sseBytes([chunk("a"), chunk("b")])]);
    assert.equal((await collect(source.pipeThrough(new StreamDeltas({ coalesce: false })))).length, 2);
    assert.throws(() => new StreamDeltas({ coalese: false }), { code: "invalid-option" });
  });

  test("an invalid chunk", async () => {
    const deltas = new StreamDeltas();
    const { items, error } = await collectUntilThrown(readable([chunk("a"), 5]).pipeThrough(deltas));
    assert.deepEqual([items.length, error.code], [1, "invalid-chunk"]);
    assert.deepEqual([deltas.result.text, deltas.result.ending], ["a", "aborted"]);
  });

  test("a source that fails", async () => {
    const reason = new Error("terminated");
    const deltas = new StreamDeltas();
    const { error } = await collectUntilThrown(readable([chunk("a")], [], reason).pipeThrough(deltas));
    assert.equal(error, reason);
  });

  test("leaving the loop closes the source", async () => {
    const log = [];
    for await (const delta of readable(CHAT_STREAM, log).pipeThrough(new StreamDeltas())) {
      assert.equal(delta.text, "The ferry");
      break;
    }
    assert.deepEqual(log, ["closed"]);
  });
});
