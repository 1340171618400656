// Values that misbehave: they throw when they are read, imitate other types, or are detached.
import { StreamAccumulator, RespoolError } from "respool";
import { chunk, sseBytes } from "./answers.mjs";

export const THROWN = "an odd value throws";
const fail = () => {
  throw new TypeError(THROWN);
};

function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function detached(value) {
  structuredClone(value.buffer ?? value, { transfer: [value.buffer ?? value] });
  return value;
}

const trapped = (target, trap) => new Proxy(target, { [trap]: fail });
const withGetters = (target, ...names) => {
  for (const name of names) Object.defineProperty(target, name, { get: fail, enumerable: true, configurable: true });
  return target;
};

const PLAIN = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  zero: () => 0,
  NaN: () => Number.NaN,
  "a big integer": () => 10n ** 30n,
  "a symbol": () => Symbol("s"),
  "a function": () => () => 1,
  "a class": () => class {},
  "no text": () => "",
  "half a character": () => "\ud83d",
  "a bracket": () => "{",
  "a hundred thousand brackets": () => "[".repeat(100_000),
  "text with __proto__": () => '{"__proto__":{"choices":[]},"choices":[]}',
  "an object": () => ({}),
  "an object without a prototype": () => Object.create(null),
  "a list of null": () => [null],
  // biome-ignore lint/suspicious/noSparseArray: this is about holes
  "a list with a hole": () => [, 1],
  "a cycle": () => {
    const cycle = {};
    return Object.assign(cycle, { choices: [cycle], data: cycle, content: cycle });
  },
  "a deep object": () => Array.from({ length: 20_000 }).reduce((inner) => ({ choices: [inner] }), {}),
  "a date of no time": () => new Date(Number.NaN),
  "a regular expression": () => /x/,
  "a map": () => new Map([[1, 2]]),
  "a weak map": () => new WeakMap(),
  "an error": () => new Error("e"),
  "a boxed text": () => new String("x"),
  "a boxed symbol": () => Object(Symbol("s")),
  "a frozen chunk": () => Object.freeze(chunk("a")),
};

const READ = [
  "choices",
  "type",
  "error",
  "data",
  "object",
  "output",
  "content",
  "message",
  "toolCalls",
  "usage",
  "name",
  "status",
  "headers",
  "body",
  "ok",
];

const GETTERS = {
  "getters that throw": () => withGetters({}, ...READ, "signal", "api", "model", "outputs", "arguments", "tools", "url"),
  "a getter of choices": () => withGetters({}, "choices"),
  "a thenable getter": () => withGetters({}, "then"),
  "toJSON that throws": () => ({ toJSON: fail, choices: [] }),
  "text that throws": () => ({ [Symbol.toPrimitive]: fail, toString: fail, valueOf: fail }),
  "members that change": () => {
    let asked = 0;
    return new Proxy(
      {},
      {
        get: (_, name) =>
          typeof name === "symbol" || name === "then" ? undefined : asked++ % 2 ? [{ delta: { content: "a" } }] : 5,
        ownKeys: () => ["choices"],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      },
    );
  },
};

const iterable = (next) => ({ [Symbol.iterator]: () => ({ next }) });

const SOURCES = {
  "an iterator getter": () => withGetters({}, Symbol.iterator),
  "an async iterator getter": () => withGetters({}, Symbol.asyncIterator),
  "a reader getter": () => withGetters({}, "getReader"),
  "an iterator that can't be made": () => ({ [Symbol.iterator]: fail }),
  "an async iterator that can't be made": () => ({ [Symbol.asyncIterator]: fail }),
  "a reader that can't be made": () => ({ getReader: fail }),
  "no iterator": () => ({ [Symbol.iterator]: () => undefined }),
  "an iterator without next": () => ({ [Symbol.iterator]: () => ({}) }),
  "a reader of nothing": () => ({ getReader: () => null }),
  "a reader without read": () => ({ getReader: () => ({}) }),
  "next that throws": () => iterable(fail),
  "next of nothing": () => iterable(() => undefined),
  "next of a number": () => iterable(() => 5),
  "an async next of null": () => ({ [Symbol.asyncIterator]: () => ({ next: async () => null }) }),
  "a result with getters": () => iterable(() => withGetters({}, "done")),
  "a value with a getter": () => iterable(() => withGetters({ done: false }, "value")),
  "a return that throws": () => {
    let count = 0;
    return { [Symbol.iterator]: () => ({ next: () => ({ done: count++ > 5, value: 5 }), return: fail }) };
  },
  "a locked stream": () => {
    const stream = new ReadableStream();
    stream.getReader();
    return stream;
  },
  "a response that was read": () => {
    const response = new Response("x");
    void response.text();
    return response;
  },
  "a response with a number": () => ({ status: 200, body: 5 }),
  "a response with getters": () => withGetters({ status: 200, body: [] }, "ok", "headers"),
  "a response whose status is a symbol": () => ({ ok: false, status: Symbol("s"), body: [] }),
  "a response whose headers throw": () => ({ status: 200, headers: { get: fail }, body: [sseBytes([chunk("a")])] }),
  "a mock whose buffer throws": () => ({ status: 200, arrayBuffer: fail }),
  "a mock whose buffer is an object": () => ({ status: 200, arrayBuffer: async () => ({}) }),
};

const sized = (Make, byteOffset, to) => {
  const buffer = new ArrayBuffer(64, { maxByteLength: 128 });
  const view = new Make(buffer, byteOffset);
  buffer.resize?.(to);
  return view;
};

const BYTES = Object.fromEntries(
  [Uint8Array, Uint16Array, Float64Array, BigInt64Array].flatMap((Make) =>
    Object.entries({
      "as it is": () => new Make(8),
      "only its prototype": () => Object.create(Make.prototype),
      "as the prototype": () => Object.create(new Make(8)),
      "without a prototype": () => Object.setPrototypeOf(new Make(8), null),
      "in a proxy": () => new Proxy(new Make(8), {}),
      revoked: () => revoked(new Make(8)),
      "in a proxy that throws": () => trapped(new Make(8), "get"),
      "in a proxy without a prototype": () => trapped(new Make(8), "getPrototypeOf"),
      detached: () => detached(new Make(8)),
      shared: () => new Make(new SharedArrayBuffer(64)),
      "out of bounds": () => sized(Make, 32, 8),
      shrunk: () => sized(Make, 0, 8),
      "whose length throws": () => withGetters(new Make(8), "length"),
      "whose buffer throws": () => withGetters(new Make(8), "buffer", "byteOffset", "byteLength"),
      "whose iterator throws": () => withGetters(new Make(8), Symbol.iterator),
      "whose constructor throws": () => withGetters(new Make(8), "constructor"),
    }).map(([kind, make]) => [`${Make.name} ${kind}`, make]),
  ),
);

const BUFFERS = {
  "a data view": () => new DataView(new ArrayBuffer(8)),
  "a detached data view": () => detached(new DataView(new ArrayBuffer(8))),
  "a buffer": () => new ArrayBuffer(8),
  "a detached buffer": () => detached(new ArrayBuffer(8)),
  "a shared buffer": () => new SharedArrayBuffer(8),
  "a buffer in a proxy": () => new Proxy(new ArrayBuffer(8), {}),
  "a revoked buffer": () => revoked(new ArrayBuffer(8)),
};

const PROTOTYPES = Object.fromEntries(
  [
    Array,
    Map,
    Set,
    Promise,
    String,
    Date,
    RegExp,
    ArrayBuffer,
    SharedArrayBuffer,
    DataView,
    Blob,
    Response,
    ReadableStream,
    AbortSignal,
    StreamAccumulator,
    RespoolError,
  ].map((Class) => [`the prototype of ${Class.name}`, () => Object.create(Class.prototype)]),
);

const TARGETS = { "an object": () => chunk("a"), "a list": () => [chunk("a")], "a function": () => () => 1 };

const PROXIES = Object.fromEntries(
  Object.entries(TARGETS).flatMap(([what, make]) => [
    [`${what}, revoked`, () => revoked(make())],
    ...["get", "has", "ownKeys", "getOwnPropertyDescriptor", "getPrototypeOf"].map((trap) => [
      `${what}, ${trap} throws`,
      () => trapped(make(), trap),
    ]),
  ]),
);

/** Functions that create the values, by name. Some values can be used only once. */
export const ODD_VALUES = { ...PLAIN, ...GETTERS, ...SOURCES, ...BYTES, ...BUFFERS, ...PROTOTYPES, ...PROXIES };
