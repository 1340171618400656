// The effects of panics and traps in the module, on a build in which input can request them: see src/wasm/planted.rs.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  RespoolError,
  SseDecoder,
  StreamAccumulator,
  decode,
  detectApi,
  parsePartialJson,
  process,
  processAsync,
  registerCodec,
  streamDeltas,
} from "../../target/planted-faults/js/entries/node.js";

// Panics are printed with their stacks: megabytes of output, which the test runner would parse.
console.error = () => {};

const encode = (text) => new TextEncoder().encode(text);
const fault = (name) => encode(`planted-fault:${name}`);
const chunk = (content) => ({ choices: [{ index: 0, delta: { content } }] });
const event = (content) => encode(`data: ${JSON.stringify(chunk(content))}\n\n`);
const BODY = { choices: [{ message: { content: "Ready." }, finish_reason: "stop" }] };

const isBug = (message) => (error) => {
  assert.ok(RespoolError.isInstance(error), String(error?.stack));
  assert.equal(error.code, "internal-error");
  assert.match(error.message, /^Internal error \(a bug in respool\): /);
  assert.match(error.message, message);
  return true;
};

/** Returns an accumulator in the middle of a stream, which has read repeated chunks and records. */
function begun() {
  const accumulator = new StreamAccumulator();
  for (const text of ["a", "b", "c"]) accumulator.push(chunk(text));
  for (const text of ["d", "e"]) accumulator.pushBytes(event(text));
  return accumulator;
}

/** Checks that all of the package works. */
function checkAll() {
  const accumulator = begun();
  assert.deepEqual(accumulator.push(chunk("f")), [{ type: "text", text: "f" }]);
  assert.equal(accumulator.snapshot().text, "abcdef");
  assert.equal(accumulator.finish().text, "abcdef");
  accumulator.free();
  assert.equal(decode(BODY).message, "Ready.");
  assert.equal(process({}, JSON.stringify(BODY)), "Ready.");
  assert.equal(detectApi(BODY), "openai-chat");
  assert.deepEqual(parsePartialJson('{"a":[1,').value, { a: [1] });
  assert.equal(new SseDecoder().push(encode("data: x\n\n"))[0].data, "x");
}

/** The methods that can cause a fault inside an accumulator. */
const INTO = {
  pushBytes: (accumulator, name) => accumulator.pushBytes(fault(name)),
  push: (accumulator, name) => accumulator.push(chunk(`planted-fault:${name}`)),
};

describe("a panic", () => {
  const PANIC = /src\/wasm\/planted\.rs:\d+:\d+:\na planted fault/;

  for (const [how, fail] of Object.entries(INTO)) {
    test(`in ${how} is a typed error, and only this object is lost`, () => {
      const [lost, other] = [new StreamAccumulator(), begun()];
      lost.push({ choices: [], odd: 1 });
      assert.throws(() => fail(lost, "panic"), isBug(PANIC));
      for (const use of ["finish", "abort", "snapshot", "takeDeltas"])
        assert.throws(() => lost[use](), isBug(/an earlier call failed/), use);
      assert.throws(() => lost.push(chunk("b")), isBug(/an earlier call failed/));
      assert.throws(() => lost.pushBytes(event("b")), isBug(/an earlier call failed/));
      lost.free();
      lost.free();
      assert.throws(() => lost.push(chunk("b")), { code: "stream-finished" });
      assert.deepEqual(other.push(chunk("f")), [{ type: "text", text: "f" }]);
      assert.deepEqual(other.pushBytes(event("g")), [{ type: "text", text: "g" }]);
      assert.equal(other.finish().text, "abcdefg");
      checkAll();
    });
  }

  test("in a function", async () => {
    const body = { choices: [{ message: { content: "planted-fault:panic" } }] };
    for (const read of [process.bind(null, {}), decode]) {
      assert.throws(() => read("planted-fault:panic"), isBug(PANIC));
      assert.throws(() => read(body), isBug(PANIC));
    }
    await assert.rejects(processAsync({}, body), isBug(PANIC));
    checkAll();
  });

  test("in a stream of a source: the source is closed", async () => {
    let isClosed = false;
    async function* source() {
      try {
        yield event("a");
        yield fault("panic");
        yield event("b");
      } finally {
        isClosed = true;
      }
    }
    await assert.rejects(async () => {
      for await (const delta of streamDeltas(source())) assert.equal(delta.text, "a");
    }, isBug(PANIC));
    assert.ok(isClosed);
  });

  test("thrown by a getter in the middle of another call: the other call continues", () => {
    const outer = begun();
    const deltas = outer.push({
      get choices() {
        assert.throws(() => begun().pushBytes(fault("panic")), isBug(PANIC));
        return chunk("f").choices;
      },
    });
    assert.deepEqual(deltas, [{ type: "text", text: "f" }]);
    assert.equal(outer.finish().text, "abcdef");
    checkAll();
  });

  test("10,000 panics leave nothing behind that makes the next call fail", () => {
    // wasm-bindgen's own stack of references can't be reset: once it is full, the module is instantiated again.
    for (let nth = 0; nth < 10_000; nth++)
      assert.throws(() => process({}, "planted-fault:panic"), isBug(/a planted fault|table index/));
    checkAll();
  });

  test("codecs stay registered", () => {
    const unregister = registerCodec({
      name: "parrot",
      detect: (value) => "squawk" in value,
      decode: ({ squawk }) => ({ type: "text", text: squawk }),
    });
    assert.throws(() => process({}, "planted-fault:panic"), isBug(PANIC));
    assert.equal(process({}, { squawk: "Hello" }), "Hello");
    unregister();
  });
});

const TRAPS = { trap: /unreachable/, stack: /./, memory: /unreachable/ };

for (const [name, message] of Object.entries(TRAPS)) {
  describe(`a trap: ${name}`, () => {
    for (const [how, fail] of Object.entries(INTO)) {
      test(`in ${how}: new objects work, old ones throw that they are lost`, () => {
        const [lost, other, decoder] = [begun(), begun(), new SseDecoder()];
        assert.throws(() => fail(lost, name), isBug(message));
        for (const old of [lost, other]) {
          assert.throws(() => old.push(chunk("f")), isBug(/was lost/));
          assert.throws(() => old.pushBytes(event("f")), isBug(/was lost/));
          for (const use of ["finish", "abort", "snapshot", "takeDeltas"])
            assert.throws(() => old[use](), isBug(/was lost/), use);
        }
        assert.throws(() => decoder.push(encode("data: x\n\n")), isBug(/was lost/));
        checkAll();
        for (const old of [lost, other, decoder]) old.free();
        checkAll();
      });
    }

    test("in a function", () => {
      const other = begun();
      assert.throws(() => decode(`planted-fault:${name}`), isBug(message));
      assert.throws(() => other.finish(), isBug(/was lost/));
      checkAll();
    });

    test("inside a getter, in the middle of another call", () => {
      const outer = begun();
      const nested = {
        get choices() {
          assert.throws(() => new StreamAccumulator().pushBytes(fault(name)), isBug(message));
          return chunk("f").choices;
        },
      };
      assert.throws(() => outer.push(nested), isBug(/was lost/));
      assert.throws(() => outer.finish(), isBug(/was lost/));
      checkAll();
    });
  });
}

test("codecs stay registered in the new module", () => {
  const parrot = (name) => ({ name, detect: (value) => name in value, decode: (body) => ({ type: "text", text: body[name] }) });
  const unregister = ["a", "b", "c"].map((name) => registerCodec(parrot(name)));
  unregister[1]();
  assert.throws(() => process({}, "planted-fault:trap"), isBug(/unreachable/));
  assert.equal(process({}, { a: "Hello" }), "Hello");
  assert.throws(() => process({}, { b: "Hello" }), { code: "unknown-response" });
  unregister[2]();
  assert.throws(() => process({}, { c: "Hello" }), { code: "unknown-response" });
  unregister[0]();
});

test("faults of all kinds in turn", () => {
  for (let nth = 0; nth < 40; nth++) {
    const name = ["panic", "trap", "panic", "stack"][nth % 4];
    const accumulator = begun();
    assert.throws(() => INTO[nth % 3 ? "push" : "pushBytes"](accumulator, name), isBug(/./));
    if (nth % 2) accumulator.free();
    checkAll();
  }
});
