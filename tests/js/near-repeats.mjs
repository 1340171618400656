// Chunks that differ only in their text, and chunks that nearly do.

const chat = (delta, more) => ({ id: "c", created: 7, model: "m", choices: [{ index: 0, delta, finish_reason: null }], ...more });
const fragment = (index, text) => chat({ tool_calls: [{ index, function: { arguments: text } }] });
const callStart = (index, id) => chat({ tool_calls: [{ index, id, type: "function", function: { name: "f", arguments: "" } }] });
const blockDelta = (index, delta) => ({ type: "content_block_delta", index, delta });
const itemAdded = (output_index, item) => ({ type: "response.output_item.added", output_index, item });
const itemDelta = (kind, output_index, members) => ({
  type: `response.${kind}.delta`,
  sequence_number: 7,
  item_id: `i${output_index}`,
  output_index,
  ...members,
  obfuscation: "abc",
});

/** For each interface: the first events of a stream, the event for a text, and events that may come in between. */
export const INTERFACES = [
  {
    name: "chat",
    first: [chat({ role: "assistant", content: "" }), callStart(0, "a"), callStart(1, "b")],
    repeated: [
      (text) => chat({ content: text }, { obfuscation: "abc" }),
      (text) => chat({ content: text }, { mood: "calm" }),
      (text) => ({ choices: [{ delta: { content: text } }] }),
      (text) => chat({ reasoning_content: text }),
      (text) => chat({ reasoning: text, content: "" }),
      (text) => fragment(0, text),
      (text) => fragment(1, text),
    ],
    between: [
      { choices: [], usage: { prompt_tokens: 9, completion_tokens: 6 } },
      { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      {
        choices: [
          { index: 0, delta: { content: "A" } },
          { index: 1, delta: { content: "B" } },
        ],
      },
      { error: { message: "broken" } },
      { mood: "wild", choices: [] },
    ],
  },
  {
    name: "Anthropic",
    first: [
      { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_start", index: 1, content_block: { type: "thinking", thinking: "" } },
      { type: "content_block_start", index: 2, content_block: { type: "tool_use", id: "a", name: "f", input: {} } },
      { type: "content_block_start", index: 3, content_block: { type: "tool_use", id: "b", name: "g", input: {} } },
    ],
    repeated: [
      (text) => blockDelta(0, { type: "text_delta", text }),
      (text) => blockDelta(1, { type: "thinking_delta", thinking: text }),
      (text) => blockDelta(2, { type: "input_json_delta", partial_json: text }),
      (text) => blockDelta(3, { type: "input_json_delta", partial_json: text }),
    ],
    between: [
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 2, content_block: { type: "text", text: "" } },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 20 } },
      { type: "ping" },
      { type: "error", error: { type: "overloaded_error", message: "busy" } },
    ],
  },
  {
    name: "Responses",
    first: [
      { type: "response.created", response: { id: "r", object: "response", status: "in_progress", output: [] } },
      itemAdded(0, { id: "i0", type: "message", content: [] }),
      itemAdded(1, { id: "i1", type: "reasoning", summary: [] }),
      itemAdded(2, { id: "i2", type: "function_call", call_id: "a", name: "f", arguments: "" }),
      // If events don't name their call, they can only be assigned to one of two calls that has begun.
      itemDelta("function_call_arguments", 2, { delta: "[" }),
      itemAdded(3, { id: "i3", type: "function_call", call_id: "b", name: "g", arguments: "" }),
    ],
    repeated: [
      (text) => itemDelta("output_text", 0, { content_index: 0, delta: text, logprobs: [] }),
      (text) => itemDelta("output_text", 0, { content_index: 1, delta: text }),
      (text) => itemDelta("reasoning_summary_text", 1, { summary_index: 0, delta: text }),
      (text) => itemDelta("function_call_arguments", 2, { delta: text }),
      (text) => itemDelta("function_call_arguments", 3, { delta: text }),
      (text) => ({ type: "response.output_text.delta", delta: text }),
      (text) => ({ type: "response.function_call_arguments.delta", delta: text }),
    ],
    between: [
      { type: "response.output_text.done", item_id: "i0", output_index: 0, content_index: 0, text: "whole" },
      {
        type: "response.output_item.done",
        output_index: 2,
        item: { id: "i2", type: "function_call", call_id: "a", name: "f", arguments: "{}" },
      },
      { type: "response.completed", response: { id: "r", object: "response", status: "completed", output: [] } },
      { type: "error", message: "broken" },
    ],
  },
];

/** Texts that are hard to split or to compare. */
export const TEXTS = [
  ...["", "a", " ", "\n", "é", "→日本", "👩‍🚀", "\ufeff", "a\ufeffb", "\0", "\u2028", '{"a":', "1]"],
  ...["\ud83d", "\ude00", "\ude00\ud83d", "x\ud83d", "\ude00y", "a\ud83db", "\ud83d\ude00"],
  ...["x".repeat(31), "x".repeat(33), "é".repeat(40), "y".repeat(70_000)],
];

/** Pieces of calls and reasoning, and text that may be their beginning. */
export const MARKUP = [
  ...[
    "<",
    "<",
    "`",
    "```",
    "\n",
    " ",
    "  ",
    "f",
    "fu",
    "of",
    "A",
    "Act",
    "ion:",
    "[",
    "]",
    "{",
    "é",
    "a-f",
    "zoo",
    " and",
    "~~~\n",
    "◁",
    "<|",
  ],
  ...[
    "</think>",
    "<think>",
    "functions.",
    "<tool_call>",
    '{"name": "f", ',
    '"arguments": {}}',
    "</tool_call>",
    "[TOOL_CALLS]",
    "<function=f>",
    "</function>",
  ],
];

/** Values that aren't a text. */
const NO_TEXTS = [undefined, null, 0, 7, -0, NaN, 7n, true, [], ["a"], {}, new String("boxed"), Symbol("s"), () => "a"];

/** Returns each object and array in a value, with a function that replaces it. */
function placesIn(value, replace = (other) => other) {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.keys(value).flatMap((key) =>
    placesIn(value[key], (other) => {
      const copy = Array.isArray(value) ? value.slice() : { ...value };
      copy[key] = other;
      return replace(copy);
    }),
  );
  return [{ value, replace }, ...inner];
}

/** Returns the chunk, changed at each place in turn; `change` returns another value, or a list of them. */
const atEach = (change) => (make) =>
  placesIn(make("x")).flatMap((_, at) => {
    const place = () => placesIn(make("x"))[at];
    return [change(place().value)].flat().map((_, which) => () => {
      const { value, replace } = place();
      return replace([change(value)].flat()[which]);
    });
  });

const isObject = (value) => !Array.isArray(value);
const only = (holds, change) => (value) => (holds(value) ? change(value) : []);

/** Returns an object one of whose members is a getter. */
function withGetter(object, name, get) {
  const copy = Object.defineProperty({ ...object }, name, { get, enumerable: true, configurable: true });
  return copy;
}

const getters = (getOf) => (object) => Object.keys(object).map((name) => withGetter(object, name, getOf(object[name])));

class Plain {
  constructor(members) {
    Object.assign(this, members);
  }
}

/** Returns an instance whose members are all getters of its class. */
function instanceOf(members) {
  class Members {}
  for (const name of Object.keys(members)) {
    Object.defineProperty(Members.prototype, name, { get: () => members[name], enumerable: true });
  }
  return new Members();
}

const boom = () => {
  throw new Error("odd");
};

/** Returns a getter that returns the value once, and then the result of `later`. */
function once(value, later) {
  let count = 0;
  return () => (count++ === 0 ? value : later(count));
}

const ODD_VALUES = [undefined, null, 0, "", "other", "7", 7, 8, 1e21, {}, []];
const TRAPS = ["get", "ownKeys", "getOwnPropertyDescriptor", "getPrototypeOf"];

function revoked(value) {
  const { proxy, revoke } = Proxy.revocable(value, {});
  revoke();
  return proxy;
}

const without = (object, gone) => Object.fromEntries(Object.entries(object).filter(([name]) => name !== gone));

/** Small changes to an object. */
const ofObjects = Object.entries({
  "another key order": (object) => [Object.fromEntries(Object.entries(object).reverse())],
  "one more key": (object) => [
    { ...object, odd: 1 },
    { ...object, odd: null },
    { odd: undefined, ...object },
    { ...object, 0: "first" },
    { ...object, [Symbol("s")]: 1 },
  ],
  "one key less": (object) => Object.keys(object).map((gone) => without(object, gone)),
  "a key that means something": (object) => [
    { ...object, error: { message: "odd" } },
    { ...object, finish_reason: "stop" },
    { ...object, content: "more" },
    { ...object, usage: { prompt_tokens: 1 } },
  ],
  "a key that is not seen": (object) =>
    Object.keys(object).map((name) => Object.defineProperty({ ...object }, name, { enumerable: false })),
  "a key of JavaScript's own": (object) => [
    { ...object, constructor: Object },
    { ...object, constructor: 7 },
    { ...object, ["__proto__"]: { content: "odd" } },
    { ...object, toJSON: () => ({}) },
  ],
  "another value": (object) => Object.keys(object).flatMap((name) => ODD_VALUES.map((value) => ({ ...object, [name]: value }))),
  "a getter that gives the same": getters((value) => () => value),
  "a getter that throws": getters(() => boom),
  "an instance": (object) => [new Plain(object), instanceOf(object), Object.create(object)],
  "a null prototype": (object) => [Object.assign(Object.create(null), object)],
  "a prototype with members": (object) => [
    Object.assign(Object.create({ odd: 1 }), object),
    Object.setPrototypeOf({ ...object }, { error: { message: "odd" } }),
  ],
}).map(([name, change]) => [name, atEach(only(isObject, change))]);

/** Nearly equal chunks, by their peculiarity. Each entry creates them from a function that creates a chunk. */
export const NEAR_REPEATS = [
  ["another text", (make) => TEXTS.map((text) => () => make(text))],
  ["no text", (make) => NO_TEXTS.map((value) => () => make(value))],
  ...ofObjects,
  [
    "a Proxy",
    atEach((value) => [
      new Proxy(value, {}),
      new Proxy(value, { ownKeys: () => [] }),
      new Proxy(value, { has: () => false }),
      new Proxy(value, { get: () => "odd" }),
      new Proxy(value, { getPrototypeOf: () => null }),
      revoked(value),
    ]),
  ],
  ["a Proxy that throws", atEach((value) => TRAPS.map((trap) => new Proxy(value, { [trap]: boom })))],
  [
    "an array that is odd",
    atEach(
      only(Array.isArray, (list) => [
        [...list, ...list],
        [],
        // biome-ignore lint/suspicious/noSparseArray: this is about holes
        [, ...list],
        [list],
        { ...list },
        { ...list, length: 1 },
        Object.assign([...list], { odd: 1 }),
        Object.assign([...list], { length: 3 }),
        Object.setPrototypeOf([...list], null),
        Object.assign(Object.create(Array.prototype), list),
        new (class extends Array {})(),
      ]),
    ),
  ],
];

/** Like `NEAR_REPEATS`, for chunks whose contents depend on how often they are read. */
export const UNSTEADY_REPEATS = Object.entries({
  "a getter that throws the second time": getters((value) => once(value, boom)),
  "a getter that gives no text the second time": getters((value) => once(value, () => 7)),
  "a getter that gives another text each time": getters((value) => once(value, (count) => `${value}${count}`)),
  "a getter that changes its object": getters(
    (value) =>
      function () {
        Object.defineProperty(this, "late", { value: 1, enumerable: true, configurable: true });
        return value;
      },
  ),
}).map(([name, change]) => [name, atEach(only(isObject, change))]);

const pick = (numbers, list) => list[numbers(list.length)];

/** Returns events of a few kinds in turn, with others among them. */
export function randomEvents(numbers, repeated, between) {
  const kinds = Array.from({ length: 1 + numbers(4) }, () => pick(numbers, repeated));
  return Array.from({ length: 30 }, () => {
    if (numbers(10) === 0) return structuredClone(pick(numbers, between));
    const event = pick(numbers, kinds)(numbers(3) === 0 ? pick(numbers, TEXTS) : `${numbers(1000)} `);
    if (numbers(3) === 0 && "created" in event) event.created = numbers(3);
    if (numbers(3) === 0 && "sequence_number" in event) event.sequence_number = numbers(100);
    if (numbers(3) === 0 && "obfuscation" in event) event.obfuscation = pick(numbers, ["", "x", 7, null, "\ud83d"]);
    return event;
  });
}
