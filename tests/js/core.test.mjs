// `respool/core` reads OpenAI's and Anthropic's interfaces as the main entry does, and says what it can't do.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import * as respool from "respool";
import * as core from "respool/core";
import { ROOT } from "../../scripts/paths.mjs";
import { cut, recordedStreams } from "./encode-fixtures.mjs";
import { numbersFrom, seedOf } from "./random.mjs";

const FIXTURES = join(ROOT, "tests/fixtures");
const INTERFACES = ["openai-chat", "openai-responses", "anthropic-messages"];
const SEED = seedOf("CORE");

/** Reads a stream with an entry. Returns its deltas and its result. */
function read({ StreamAccumulator }, pieces, options) {
  const accumulator = new StreamAccumulator(options);
  const deltas = pieces.flatMap((piece) => accumulator.pushBytes(piece));
  const result = accumulator.finish();
  return { deltas: [...deltas, ...accumulator.takeDeltas()], result };
}

const HINT = ". `respool/core` lacks some interfaces: use `respool` for them, and in Rust the feature `interfaces`";

/** Removes the hint that only the errors of `respool/core` have. */
function withoutHint({ deltas, result }) {
  for (const { error } of [...deltas, result]) if (error) error.message = error.message.replace(HINT, "");
  return { deltas, result };
}

/** Returns the result of a call, or its error. */
function outcomeOf(call) {
  try {
    return call();
  } catch ({ name, code, message }) {
    return { name, code, message };
  }
}

describe("results that equal the main entry's", () => {
  for (const [name, bytes] of recordedStreams()) {
    const whole = read(respool, [bytes]);
    if (!INTERFACES.includes(whole.result.response?.api)) continue;
    test(`${name}, with seed ${SEED}`, () => {
      const numbers = numbersFrom(SEED);
      const pieces = cut(bytes, () => 1 + numbers(40));
      for (const options of [undefined, { partialJson: true, coalesce: false, agent: { outputs: [1] } }]) {
        assert.deepEqual(withoutHint(read(core, pieces, options)), read(respool, pieces, options));
      }
    });
  }

  for (const api of [...INTERFACES, "openai-embeddings", "openai-images"]) {
    for (const name of readdirSync(join(FIXTURES, api))) {
      const path = join(FIXTURES, api, name, "body.json");
      if (!existsSync(path)) continue;
      test(`the body of ${api}/${name}`, () => {
        const text = readFileSync(path, "utf8");
        for (const body of [text, JSON.parse(text)]) {
          for (const work of ["decode", "detectApi", "process"]) {
            const call = (entry) => outcomeOf(() => (work === "process" ? entry.process({}, body) : entry[work](body)));
            assert.deepEqual(call(core), call(respool), work);
          }
        }
      });
    }
  }

  test("a stream saved by one of them continues in the other", () => {
    const bytes = readFileSync(join(ROOT, "samples/chat-tool-calls.sse"));
    const expected = read(respool, [bytes]).result;
    for (const [from, to] of [
      [respool, core],
      [core, respool],
    ]) {
      const accumulator = new from.StreamAccumulator();
      accumulator.pushBytes(bytes.subarray(0, 999));
      const restored = to.StreamAccumulator.restore(accumulator.save());
      restored.pushBytes(bytes.subarray(999));
      assert.deepEqual(restored.finish(), expected);
    }
  });
});

describe("missing features", () => {
  test("the exports are a subset of the main entry's", () => {
    const more = Object.keys(core).filter((name) => !(name in respool));
    assert.deepEqual(more, []);
    const less = ["runRequest", "extractToolCalls", "LoopDetector", "repairJson", "ResponseConverter", "cast"];
    assert.deepEqual(
      less.filter((name) => name in core),
      [],
    );
  });

  test("other interfaces are unknown", () => {
    const body = { candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }] };
    assert.equal(core.detectApi(body), undefined);
    const message =
      "The response matches no known interface. Expected an object with `choices` (openai-chat), `output` " +
      "(openai-responses), `content` (anthropic-messages), or `data` (openai-embeddings, openai-images), got one with " +
      `"candidates"${HINT}`;
    assert.throws(() => core.decode(body), { name: "DecodeError", code: "unknown-response", message });
    const unknown = { code: "invalid-option", message: /^Unknown interface `gemini` .* openai-chat, .*: use `respool` for them/ };
    assert.throws(() => new core.StreamAccumulator({ api: "gemini" }), unknown);
    const { error } = read(core, [new TextEncoder().encode(`data: ${JSON.stringify(body)}\n\n`)]).result;
    assert.match(error.message, /It matches no known interface: .*: use `respool` for them/);
  });

  test("options that search the text are rejected", () => {
    for (const options of [{ textToolCalls: { tools: "any" } }, { reasoningTags: true }, { loopDetector: true }]) {
      assert.throws(() => new core.StreamAccumulator(options), { code: "invalid-option", message: /`respool\/core`/ });
      assert.throws(() => core.streamDeltas([], options), { code: "invalid-option" });
    }
  });

  test("a saved stream that it can't continue is rejected", () => {
    for (const options of [{ reasoningTags: true }, { loopDetector: true }, { api: "gemini" }]) {
      const accumulator = new respool.StreamAccumulator(options);
      accumulator.pushBytes(new TextEncoder().encode('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n'));
      assert.throws(() => core.StreamAccumulator.restore(accumulator.save()), { code: "invalid-state" }, JSON.stringify(options));
    }
  });
});
