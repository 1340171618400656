// The concatenated deltas equal the result: for every fixture, as objects and as bytes, with and without templates, ending
// after any event, and with each text split at random, so that events differ only in their text.
// A failure prints the seed; DELTAS_SEED repeats it.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { StreamAccumulator } from "respool";
import { ROOT } from "../../scripts/paths.mjs";
import { numbersFrom, roundsOf, seedOf } from "./random.mjs";

const SEED = seedOf("DELTAS");
const ROUNDS = roundsOf("DELTAS", 3);
const FIXTURES = join(ROOT, "tests/fixtures");

/** Warnings that the deltas differ from the result. */
const EXCEPTIONS = ["out-of-order", "resumed-stream", "mismatch"];

/** The deltas that belong to no choice. */
const OF_STREAM = ["usage", "warning", "error"];

/** Returns the streams of a file, by name. */
function streamsOf(path) {
  const text = readFileSync(join(FIXTURES, path), "utf8");
  if (path.endsWith(".jsonl")) return [[path, text.trim().split("\n").map(JSON.parse)]];
  const fill = (json, texts = {}) =>
    Object.entries(texts).reduce(
      (filled, [key, { text: piece, times }]) => filled.replaceAll(key, piece.repeat(Math.min(times, 50))),
      json,
    );
  const cases = JSON.parse(text).cases ?? [];
  return cases
    .filter(({ input }) => input?.events)
    .map(({ name, input, fill: texts }) => [`${path}: ${name}`, JSON.parse(fill(JSON.stringify(input.events), texts))]);
}

/** The members whose text may arrive in pieces, and the members that lead to them. */
const TEXTS = ["content", "reasoning", "reasoning_content", "arguments", "input", "text", "thinking", "partial_json", "delta"];
const WAY = ["choices", "delta", "tool_calls", "function", "custom"];

/** Returns the object that contains the text of a delta, and the member's name. */
function textIn(value) {
  for (const [name, member] of Object.entries(value ?? {})) {
    if (TEXTS.includes(name) && typeof member === "string" && member.length > 1) return [value, name];
    if (!WAY.includes(name) || typeof member !== "object") continue;
    const items = Array.isArray(member) ? member : [member];
    const found = items.length === 1 ? textIn(items[0]) : undefined;
    if (found) return found;
  }
}

/** Splits a delta into several with pieces of its text. */
function cut(event, numbers) {
  const isDelta = event.choices?.[0]?.delta !== undefined || /delta$/.test(event.type);
  const [holder, name] = (isDelta && event.choices?.[0]?.finish_reason == null && textIn(event)) || [];
  if (!holder) return [event];
  const text = holder[name];
  const pieces = [];
  for (let at = 0; at < text.length; ) {
    const end = at + 1 + numbers(4);
    const piece = structuredClone(event);
    const [into] = textIn(piece);
    into[name] = text.slice(at, end);
    pieces.push(piece);
    at = end;
  }
  return pieces;
}

const wire = (events) => new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));

function slices(bytes, numbers) {
  const list = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + numbers(900);
    list.push(bytes.subarray(at, end));
    at = end;
  }
  return list;
}

/** Reads steps, and checks that their deltas add up to the result. */
function check(steps, options) {
  const accumulator = new StreamAccumulator(options);
  const deltas = steps.flatMap((step) =>
    step instanceof Uint8Array ? accumulator.pushBytes(step) : accumulator.push(structuredClone(step)),
  );
  const result = accumulator.finish();
  deltas.push(...accumulator.takeDeltas());
  accumulator.free();
  if (result.warnings.some(({ code }) => EXCEPTIONS.includes(code))) return;
  const indices = deltas.filter(({ type }) => !OF_STREAM.includes(type)).map(({ choice = 0 }) => choice);
  const first = result.response.choices?.[0]?.index ?? Math.min(...indices);
  const own = deltas.filter(({ choice = 0 }) => choice === first);
  const joined = (type) => own.filter((delta) => delta.type === type).map(({ text }) => text);
  assert.equal(joined("text").join(""), result.text);
  assert.equal(joined("reasoning").join(""), result.reasoning);
  assert.equal(joined("refusal").join(""), result.refusal ?? "");
  const { finishReason, rawFinishReason } = own.findLast(({ type }) => type === "finish") ?? {};
  assert.deepEqual([finishReason, rawFinishReason], [result.finishReason, result.rawFinishReason]);
  for (const { id, arguments: whole } of result.toolCalls) {
    assert.ok(own.some((delta) => delta.type === "tool-call-start" && delta.id === id));
    const fragments = own.filter((delta) => delta.type === "tool-call-delta" && delta.id === id);
    const emitted = fragments.map((delta) => delta.arguments).join("");
    assert.equal(emitted === "" ? "{}" : emitted, whole, id);
  }
}

const folders = ["anthropic-messages", "gemini", "gemini-interactions", "openai-chat", "openai-responses", "quirks"];
for (const folder of folders) {
  describe(`${folder} (seed ${SEED})`, () => {
    const files = readdirSync(join(FIXTURES, folder), { recursive: true }).map((path) => join(folder, path));
    const streams = files.filter((path) => /quirks.*\.json$|events\.jsonl$/.test(path)).flatMap(streamsOf);
    for (const [name, events] of streams) {
      test(name, () => {
        for (let count = 1; count < events.length; count++) check(events.slice(0, count), {});
        for (let round = 0; round < ROUNDS; round++) {
          const numbers = numbersFrom(SEED + round);
          const pieces = round === 0 ? events : events.flatMap((event) => cut(event, numbers));
          for (const templates of [true, false]) {
            for (const steps of [pieces, slices(wire(pieces), numbers)]) check(steps, { templates, coalesce: round !== 1 });
          }
        }
      });
    }
  });
}
