// Random values that no provider sends, but that a program can pass.
import assert from "node:assert/strict";
import { RespoolError, StreamAccumulator, decode, process as processBody } from "respool";
import { chunk, sseBytes } from "./answers.mjs";

/** Runs a function that may only fail with a typed error, and not with an internal one. */
export function typedOrFine(run) {
  try {
    return run();
  } catch (error) {
    assert.ok(RespoolError.isInstance(error), `${error?.name}: ${error?.stack ?? String(error)}`);
    assert.notEqual(error.code, "internal-error", `${error.stack}\ncaused by ${error.cause?.stack}`);
    return undefined;
  }
}

const encode = (text) => new TextEncoder().encode(text);
/** Names that a reader looks up, and names with a meaning in JavaScript. */
export const NAMES = [
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

/** Creates odd values. Some of them call methods of `subject`, the accumulator that reads them, when they are read. */
export class Oddities {
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

  /** Returns a provider's event with an odd value inside. */
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

  /** Calls a method of the accumulator that is reading, or of another one. */
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
        // The length is fixed, or the list would never end.
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
