// A request whose state is lost because another call trapped in the module: it ends, and keeps its text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { callChunk, chunk } from "./answers.mjs";

const HANDLE = "requestmachine_handle";

let trapsIn = Infinity;
const { Instance } = WebAssembly;
// biome-ignore lint/complexity/useArrowFunction: an arrow function isn't a constructor
WebAssembly.Instance = function (...given) {
  const { exports } = new Instance(...given);
  const trapping = (...parts) => {
    if (--trapsIn === 0) throw new WebAssembly.RuntimeError("unreachable");
    return exports[HANDLE](...parts);
  };
  return { exports: { ...exports, [HANDLE]: trapping } };
};
const { runRequest } = await import("respool");

const calling = callChunk({ id: "a", function: { name: "tide", arguments: "{}" } }, "tool_calls");
const turns = () => [[chunk("Hm. "), calling], [chunk("High.", "stop")]];

function ask() {
  const left = turns();
  return runRequest({ transport: () => left.shift(), messages: [], tools: { tide: () => "high" } });
}

test("at each event", async () => {
  for (const [nth, text] of [
    [1, "Hm. "],
    [2, "Hm. "],
    [3, "Hm. "],
    [4, "Hm. High."],
    [5, "Hm. High."],
  ]) {
    trapsIn = nth;
    const { state, text: resultText, failure } = await ask().result();
    assert.deepEqual([state, resultText, failure.code, failure.cause.code], ["failed", text, "unknown_error", "internal-error"]);
  }
  trapsIn = Infinity;
  assert.equal((await ask().result()).text, "Hm. High.");
});
