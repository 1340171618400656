// Every recorded stream as AG-UI events: they are valid, the official client accepts them, and its text, calls and
// signatures are those of the result, however the stream is split. A failure is never shown as a success.
// A failure prints the seed; AG_UI_SEED repeats it.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join as joinPath } from "node:path";
import { describe, test } from "node:test";
import { streamDeltas } from "respool";
import { ROOT } from "../../scripts/paths.mjs";
import { checkClient, checkEvents, eventsOf, join, joined, ofType } from "./ag-ui-client.mjs";
import { sseText } from "./answers.mjs";
import { numbersFrom, seedOf } from "./random.mjs";

const SEED = seedOf("AG_UI");
const FIXTURES = joinPath(ROOT, "tests/fixtures");
const encode = (text) => new TextEncoder().encode(text);

/** Returns the streams of the fixtures, by name: a list of events, or text. */
function streams() {
  const folders = readdirSync(FIXTURES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const found = folders.flatMap(({ name: api }) =>
    readdirSync(joinPath(FIXTURES, api)).flatMap((name) => {
      const path = joinPath(FIXTURES, api, name, "events.jsonl");
      return existsSync(path) ? [[`${api}/${name}`, readFileSync(path, "utf8").trim().split("\n").map(JSON.parse)]] : [];
    }),
  );
  const quirks = joinPath(FIXTURES, "quirks");
  for (const name of readdirSync(quirks).filter((file) => file.endsWith(".json"))) {
    const { cases } = JSON.parse(readFileSync(joinPath(quirks, name), "utf8"));
    for (const { name: of, input, options } of cases) {
      if (options) continue;
      const stream = input.events ?? (typeof input.bytes === "string" ? input.bytes : undefined);
      if (stream !== undefined) found.push([`quirks/${name}: ${of}`, stream]);
    }
  }
  return found;
}

/** Splits the bytes of a stream at random. */
function cut(stream, below) {
  const bytes = encode(typeof stream === "string" ? stream : sseText(stream).join(""));
  const pieces = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + below(200);
    pieces.push(bytes.slice(at, end));
    at = end;
  }
  return pieces;
}

/** Returns the result of a stream, with the text of its deltas instead of its own, which may have more from the end of the stream. */
async function resultOf(source) {
  const deltas = streamDeltas(source);
  /** The texts of each choice. Only those of the first one count. */
  const choices = [];
  try {
    for await (const { type, text, choice = 0, part } of deltas) {
      choices[choice] ??= { text: "", reasoning: "" };
      const texts = choices[choice];
      if (type === "text" || type === "reasoning") texts[type] += text;
      if (type === "audio") texts.text += part.transcript ?? "";
    }
  } catch {
    // The error is in the result.
  }
  const first = deltas.result.response.choices?.[0].index ?? choices.findIndex((texts) => texts?.text || texts?.reasoning);
  return { ...deltas.result, text: "", reasoning: "", ...choices[first] };
}

const byId = (a, b) => (a.id < b.id ? -1 : 1);

/** Returns the values that go back to the provider. */
function valuesOf({ message, toolCalls = [] }) {
  const parts = Array.isArray(message) ? message : [];
  const ofParts = parts
    .filter(({ type }) => type === "reasoning" || type === "text")
    .map(({ type, encrypted, signature }) => (type === "reasoning" && encrypted) || signature);
  return [...ofParts, ...toolCalls.map(({ signature }) => signature)].filter(Boolean).sort();
}

async function check(source, result) {
  const events = await eventsOf(source);
  checkEvents(events);
  const messages = await checkClient(events);
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
  // Withdrawn calls: the provider ran them itself, so that the page has their results, or a model that declined made them.
  const { message, apiSpecific } = result.response;
  const blocks = apiSpecific?.contentBlocks ?? [];
  const declined = blocks.slice(0, blocks.findLastIndex(({ type }) => type === "fallback") + 1).map(({ id }) => id);
  const isRun = ({ id }) => [message].flat().some((part) => part?.type === "server-tool" && part.id === id && part.call);
  const isWithdrawn = (call) => isRun(call) || declined.includes(call.id);
  const left = result.warnings.some(({ code }) => code === "withdrawn-tool-call")
    ? calls.filter((call) => !isWithdrawn(call))
    : calls;
  // Arguments that weren't valid JSON have been emitted by the time that others replace them.
  const isReplaced = result.warnings.some(({ message }) => message.endsWith("replace them"));
  const textOf = (id, text) => (isReplaced ? result.toolCalls.find((call) => call.id === id)?.arguments : text);
  // Only the end of a call shows that it has no arguments.
  const isCut = result.ending === "truncated";
  assert.deepEqual(
    left
      .map(({ id, function: { name, arguments: text } }) => ({ id, name, arguments: textOf(id, text) || (isCut ? "{}" : "") }))
      .sort(byId),
    [...result.toolCalls].sort(byId),
  );
  const texts = messages.filter(({ role, metadata }) => role === "assistant" && !metadata?.refusal);
  assert.equal(texts.map(({ content = "" }) => content).join(""), result.text);
  assert.equal(
    join(
      messages.filter(({ role }) => role === "reasoning"),
      "content",
    ),
    result.reasoning,
  );
  const end = events.at(-1);
  // If there are several choices, only the first counts.
  const isFirstOver = result.ending === "truncated" && result.response.choices !== undefined && result.finishReason !== undefined;
  const isOver = result.ending === "complete" || isFirstOver;
  const isFailure = !isOver || Boolean(result.refusal) || result.finishReason === "content_filter";
  assert.equal(end.type, isFailure ? "RUN_ERROR" : "RUN_FINISHED");
  if (!result.error) {
    const values = ofType(events, "REASONING_ENCRYPTED_VALUE").map(({ encryptedValue }) => encryptedValue);
    assert.deepEqual(values.sort(), valuesOf(result.response));
  }
  // A call that ended before its arguments were replaced has been answered as invalid.
  if (!isFailure && !isReplaced) {
    const answered = new Set(ofType(events, "TOOL_CALL_RESULT").map(({ toolCallId }) => toolCallId));
    const usable = result.toolCalls.filter((_, at) => result.toolCallStatus[at] === "complete");
    assert.deepEqual([...(end.outcome.pendingToolCallIds ?? [])].sort(), usable.map(({ id }) => id).sort());
    assert.equal(answered.size, calls.length - usable.length);
    assert.equal(end.usage?.[0].inputTokens, result.usage?.inputTokens);
    assert.equal(end.usage?.[0].outputTokens, result.usage?.outputTokens);
  }
  return events;
}

describe(`fixtures (seed ${SEED})`, () => {
  const all = streams();
  test("are found", () => assert.ok(all.length > 150, String(all.length)));

  for (const [name, stream] of all) {
    test(name, async () => {
      const below = numbersFrom(SEED);
      const source = typeof stream === "string" ? [stream] : stream;
      const events = await check(source, await resultOf(source));
      const pieces = cut(stream, below);
      const ofPieces = await check(pieces, await resultOf(pieces));
      assert.deepEqual(joined(ofPieces), joined(events));
    });
  }
});
