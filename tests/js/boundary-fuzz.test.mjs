// Values that no provider sends but a program can hand over: each public function gives a result or a typed error for
// all of them, and works afterwards. A failure prints the seed; BOUNDARY_SEED repeats it.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  PartialJson,
  RespoolError,
  SseDecoder,
  StreamAccumulator,
  StreamDeltas,
  decode,
  detectApi,
  parsePartialJson,
  process as processBody,
  processAsync,
  processStream,
  streamDeltas,
} from "respool";
import { callChunk, chunk, sseBytes } from "./answers.mjs";
import { numbersFrom } from "./random.mjs";

const SEED = Number(process.env.BOUNDARY_SEED ?? Date.now() % 1_000_000);
const ROUNDS = 300;

const encode = (text) => new TextEncoder().encode(text);
const NAMES = [
  "choices",
  "delta",
  "content",
  "tool_calls",
  "function",
  "arguments",
  "name",
  "id",
  "index",
  "type",
  "message",
  "output",
  "item",
  "usage",
  "error",
  "data",
  "embedding",
  "url",
  "text",
  "__proto__",
  "constructor",
  "toJSON",
  "finish_reason",
  "content_block",
  "logprobs",
  "length",
];
const TEXTS = [
  "",
  "a",
  "text",
  "message",
  "response",
  "content_block_delta",
  "response.output_text.delta",
  "stop",
  "\ud83d",
  "\udea2",
  "{",
  '{"a":1}',
  "\0",
  "😀é",
];

/** Makes odd values, some of which do things when they are read: to `subject`, the accumulator that reads them. */
class Oddities {
  constructor(below) {
    this.below = below;
    this.subject = undefined;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  value(depth = 0) {
    const kinds = depth > 4 ? 3 : 16;
    switch (this.below(kinds)) {
      case 0:
        return this.pick(TEXTS);
      case 1:
        return this.pick([null, undefined, true, 0, -1, 1.5, NaN, Infinity, 2 ** 53, 10n ** 30n, Symbol("s"), () => 1]);
      case 2:
        return this.bytes();
      case 3:
      case 4:
      case 5:
        return this.object(depth);
      case 6:
      case 7:
        return Array.from({ length: this.below(4) }, () => this.value(depth + 1));
      case 8:
        return this.cycle(depth);
      case 9:
        return this.sparse();
      case 10:
        return this.proxy(depth);
      case 11:
        return this.shaped(depth);
      case 12:
        return this.withToJson(depth);
      case 13:
        return this.pick([
          new Date(NaN),
          /x/,
          new Map([[1, 2]]),
          new Set(),
          new Error("e"),
          Promise.resolve(1),
          new WeakMap(),
          Object(Symbol()),
          new String("x"),
          new Proxy(() => 1, {}),
        ]);
      case 14:
        return Object.freeze(this.object(depth));
      default:
        return new (class Chunk {
          get choices() {
            return chunk("of a class").choices;
          }
        })();
    }
  }

  /** Something that a provider could send, with an odd value in it. */
  shaped(depth) {
    const odd = this.value(depth + 1);
    return this.pick([
      () => ({ choices: [{ index: 0, delta: odd }] }),
      () => ({ choices: [{ delta: { content: odd } }] }),
      () => ({ choices: [{ delta: { tool_calls: [odd] } }] }),
      () => ({ choices: [{ message: odd, finish_reason: odd }] }),
      () => ({ choices: odd }),
      () => ({ type: "content_block_delta", index: odd, delta: { type: "text_delta", text: odd } }),
      () => ({ type: "message", content: [odd] }),
      () => ({ type: "response.output_text.delta", item_id: "a", output_index: odd, content_index: 0, delta: odd }),
      () => ({ object: "response", output: [odd] }),
      () => ({ data: [{ embedding: odd }, { url: odd }] }),
      () => ({ error: odd }),
      () => chunk("ordinary"),
    ])();
  }

  object(depth) {
    const object = this.pick([{}, Object.create(null), Object.create({ choices: [] })]);
    for (let count = this.below(4); count > 0; count--) {
      const name = this.pick(NAMES);
      if (this.below(3) === 0) this.accessor(object, name, depth);
      else
        Object.defineProperty(object, name, {
          value: this.value(depth + 1),
          enumerable: true,
          configurable: true,
          writable: true,
        });
    }
    return object;
  }

  accessor(object, name, depth) {
    let asked = 0;
    const value = this.value(depth + 1);
    const other = this.value(depth + 1);
    const get = this.pick([
      () => {
        throw new Error("a getter that throws");
      },
      () => {
        // biome-ignore lint/style/useThrowOnlyError: callers' getters may throw anything
        throw undefined;
      },
      () => {
        throw Object.create(null);
      },
      () => (asked++ % 2 === 0 ? value : other),
      () => {
        object.choices = undefined;
        return value;
      },
      () => {
        this.act();
        return value;
      },
    ]);
    Object.defineProperty(object, name, { get, set() {}, enumerable: true, configurable: true });
  }

  /** What a getter does to the accumulator that is reading it, and to others. */
  act() {
    const { subject } = this;
    if (!subject) return;
    const action = this.pick([
      () => subject.push(chunk("inside")),
      () => subject.pushBytes(sseBytes([chunk("inside")])),
      () => subject.finish(),
      () => subject.abort("inside"),
      () => subject.snapshot(),
      () => subject.takeDeltas(),
      () => subject.free(),
      () => processBody({}, { choices: [{ message: { content: "inside" } }] }),
      () => new StreamAccumulator().pushBytes(sseBytes([chunk("inside")])),
      () => decode({ choices: [{ message: { content: "inside" } }] }),
    ]);
    typedOrFine(action);
  }

  cycle(depth) {
    const object = this.object(depth + 1);
    Object.defineProperty(object, this.pick(NAMES), {
      value: this.pick([object, [object], { in: object }]),
      enumerable: true,
      configurable: true,
    });
    return object;
  }

  sparse() {
    const array = [];
    array.length = this.pick([100, 10_000, 2 ** 32 - 1]);
    array[this.below(90)] = this.pick(TEXTS);
    return array;
  }

  proxy(depth) {
    const target = this.pick([{}, [], chunk("proxied")]);
    const boom = () => {
      throw new TypeError("a trap that throws");
    };
    const [revoked, handlers] = [
      () => {
        const { proxy, revoke } = Proxy.revocable(target, {});
        revoke();
        return proxy;
      },
      [
        { get: boom },
        { ownKeys: boom },
        { has: boom },
        { getOwnPropertyDescriptor: boom },
        { getPrototypeOf: boom },
        {
          get: (from, name) => {
            this.act();
            return Reflect.get(from, name);
          },
        },
        // Not the length: a list that makes up its items has no end.
        { get: (_, name) => (name === "length" ? 3 : this.value(depth + 1)) },
      ],
    ];
    return this.below(4) === 0 ? revoked() : new Proxy(target, this.pick(handlers));
  }

  withToJson(depth) {
    const value = this.value(depth + 1);
    return {
      toJSON: this.pick([
        () => value,
        () => undefined,
        () => {
          throw new Error("toJSON");
        },
        5,
      ]),
      content: "x",
    };
  }

  bytes() {
    const text = encode(`data: ${JSON.stringify(chunk("b"))}\n\n`);
    const copyInto = (buffer) => {
      new Uint8Array(buffer).set(text);
      return buffer;
    };
    return this.pick([
      () => text,
      () => text.subarray(3, 20),
      () => text.buffer,
      () => new DataView(text.buffer, 2),
      () => new Float64Array(3),
      () => {
        const taken = encode("data: x\n\n");
        structuredClone(taken.buffer, { transfer: [taken.buffer] });
        return taken;
      },
      () => {
        const taken = encode("data: x\n\n").buffer;
        structuredClone(taken, { transfer: [taken] });
        return taken;
      },
      () => new Uint8Array(copyInto(new SharedArrayBuffer(text.length))),
      () => copyInto(new SharedArrayBuffer(text.length)),
      () => {
        const buffer = new ArrayBuffer(text.length, { maxByteLength: 4096 });
        const view = new Uint8Array(buffer);
        view.set(text);
        buffer.resize?.(this.below(text.length));
        return view;
      },
      () => {
        const buffer = new ArrayBuffer(64, { maxByteLength: 4096 });
        const view = new Uint8Array(buffer, 32, 32);
        buffer.resize?.(8);
        return view;
      },
      () => Object.create(Uint8Array.prototype),
      () => new Proxy(text, {}),
      () =>
        new (class extends Uint8Array {
          get length() {
            return 2 ** 31;
          }
        })(4),
      () =>
        new (class extends Uint8Array {
          get length() {
            throw new Error("length");
          }
        })(4),
      () =>
        new (class extends Uint8Array {
          get buffer() {
            throw new Error("buffer");
          }
        })(4),
    ])();
  }
}

/** Runs something that may fail, but only with a typed error that is not about a bug. */
function typedOrFine(run) {
  try {
    return run();
  } catch (error) {
    assert.ok(RespoolError.isInstance(error), `${error?.name}: ${error?.stack ?? String(error)}`);
    assert.notEqual(error.code, "internal-error", `${error.stack}\ncaused by ${error.cause?.stack}`);
    return undefined;
  }
}

/** What a promise comes to, or nothing after so many turns of the event loop: a thenable may never say anything. */
async function inTime(promise) {
  let isOver = false;
  const over = promise.finally(() => (isOver = true));
  const turns = async () => {
    for (let turn = 0; turn < 100 && !isOver; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return Promise.race([over, turns()]);
}

async function typedOrFineAsync(run) {
  try {
    return await inTime(run());
  } catch (error) {
    return typedOrFine(() => {
      throw error;
    });
  }
}

/** What reading a source throws is the user's own, and is thrown on. */
function isSource(value) {
  try {
    return (
      typeof value === "object" &&
      value !== null &&
      (Symbol.iterator in value || Symbol.asyncIterator in value || "getReader" in value)
    );
  } catch {
    return true;
  }
}

/** What awaiting a value throws is the user's own, and is thrown on. */
const canBeAwaited = (value) =>
  inTime(
    Promise.resolve()
      .then(() => value)
      .then(
        () => true,
        () => false,
      ),
  );

function checkWorks(context) {
  const accumulator = new StreamAccumulator();
  const deltas = [
    ...accumulator.push(chunk("a")),
    ...accumulator.push(chunk("b")),
    ...accumulator.pushBytes(sseBytes([chunk("c")])),
  ];
  assert.deepEqual(
    deltas.map((delta) => delta.text),
    ["a", "b", "c"],
    context,
  );
  assert.equal(accumulator.finish().text, "abc", context);
  accumulator.free();
}

const nth = (round) => `BOUNDARY_SEED=${SEED}, round ${round}`;

/** Runs many rounds, each with numbers of its own, and says in which one something went wrong. */
async function rounds(count, run) {
  for (let round = 0; round < count; round++) {
    try {
      await run(new Oddities(numbersFrom(SEED * 10_000 + round)), round);
    } catch (error) {
      throw new Error(`${nth(round)}: ${error.message}`, { cause: error });
    }
  }
  checkWorks(`BOUNDARY_SEED=${SEED}, at the end`);
}

test(`pushed (seed ${SEED})`, () =>
  rounds(ROUNDS, (odd, round) => {
    const options = { coalesce: round % 2 === 0, templates: round % 3 > 0, partialJson: round % 5 === 0 };
    const accumulator = new StreamAccumulator(options);
    odd.subject = accumulator;
    for (let count = 1 + odd.below(6); count > 0; count--) {
      const act = odd.pick([
        () => accumulator.push(odd.value()),
        () => accumulator.push(odd.shaped(0)),
        () => accumulator.push(chunk("x")),
        () => accumulator.push(callChunk({ id: "c", function: { name: "f", arguments: "{" } })),
        () => accumulator.pushBytes(odd.bytes()),
        () => accumulator.pushBytes(odd.value()),
        () => accumulator.snapshot(),
        () => accumulator.abort(odd.value()),
        () => accumulator.takeDeltas(),
      ]);
      const given = typedOrFine(act);
      if (Array.isArray(given)) for (const delta of given) assert.equal(typeof delta.type, "string");
    }
    const result = typedOrFine(() => accumulator.finish());
    if (result) JSON.stringify(result);
    accumulator.free();
    if (round % 100 === 0) checkWorks(nth(round));
  }));

test(`whole bodies (seed ${SEED})`, () =>
  rounds(ROUNDS, async (odd) => {
    const body = odd.below(2) ? odd.shaped(0) : odd.value();
    typedOrFine(() => decode(body));
    typedOrFine(() => detectApi(body));
    typedOrFine(() => processBody(odd.pick([{}, odd.value(), { outputs: [1] }]), body));
    if (!isSource(body) && (await canBeAwaited(body))) await typedOrFineAsync(() => processAsync({}, body));
  }));

test(`options and small functions (seed ${SEED})`, () =>
  rounds(ROUNDS, (odd) => {
    typedOrFine(() => new StreamAccumulator(odd.value()).free());
    typedOrFine(() => processBody({}, chunk("x"), odd.value()));
    typedOrFine(() => parsePartialJson(odd.value()));
    const decoder = new SseDecoder();
    typedOrFine(() => decoder.push(odd.value()));
    typedOrFine(() => decoder.push(odd.bytes()));
    typedOrFine(() => decoder.finish());
    decoder.free();
    const live = new PartialJson();
    typedOrFine(() => live.apply({ type: "json", index: 0, path: [odd.pick(NAMES), odd.below(3)], value: 1, done: true }));
  }));

test(`sources (seed ${SEED})`, () =>
  rounds(150, async (odd) => {
    const pieces = Array.from({ length: odd.below(4) }, () =>
      odd.pick([odd.value(), odd.bytes(), chunk("x"), sseBytes([chunk("y")])]),
    );
    await typedOrFineAsync(async () => {
      for await (const delta of streamDeltas(pieces)) assert.equal(typeof delta.type, "string");
    });
    await typedOrFineAsync(async () => {
      for await (const item of processStream(
        {},
        (async function* () {
          yield* pieces;
        })(),
      ))
        assert.ok(item !== undefined);
    });
    const source = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    await typedOrFineAsync(async () => {
      for await (const delta of source.pipeThrough(new StreamDeltas())) assert.equal(typeof delta.type, "string");
    });
  }));
