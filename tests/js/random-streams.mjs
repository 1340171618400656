// Random streams of events, and options to read them with.
import { INTERFACES, MARKUP, TEXTS } from "./near-repeats.mjs";
import { numbersFrom } from "./random.mjs";

const FRAGMENTS = [
  '{"',
  "a",
  '":',
  "[",
  "1",
  ",",
  "2.5",
  '"x',
  '"',
  "true",
  "nul",
  "l",
  "}",
  "]",
  '{"a": "b"}',
  "\\u00e9",
  "\\",
  " ",
];
const WORDS = ["zoo", " and", " of", " the", "\n", "it ", " goes", ", ", "on."];

/** Texts that the search recognises: calls in each format, some to unknown tools, reasoning, and loops. */
const FINDS = [
  '<tool_call>\n{"name": "f", "arguments": {"a": "b < c"}}\n</tool_call>',
  '<tool_call>{"name": "nobody", "arguments": {}}</tool_call>',
  "<function=f>\n<parameter=a>\n1 < 2\n</parameter>\n</function>",
  "<think>Low water is at <3.</think>",
  '[TOOL_CALLS]f{"a": [1, 2]}',
  '[TOOL_CALLS] [{"name": "f", "arguments": {"a": "é"}}]',
  '```json\n{"name": "f", "arguments": {"a": "`"}}\n```\n',
  'Thought: so\nAction: f\nAction Input: {"a": 1}\n',
  '[f(a="x", b=[1, 2])]',
  '<|python_tag|>{"name": "f", "parameters": {"a": 1}}',
  '<f>{"a": 1}</f>',
  "It goes on and on.\n".repeat(30),
  "on and on ".repeat(200),
  "Prose of the < usual ` kind [1], and { so } on. ",
];

/** Ways to write an event. */
const WIRE = [
  ...[
    (json) => `data: ${json}\n\n`,
    (json) => `data: ${json}\n\n`,
    (json) => `data:${json}\r\n\r\n`,
    (json) => `${json}\n`,
    (json) => `data: ${json} \n\n`,
  ],
  ...[
    (json) => `event: message\ndata: ${json}\n\n`,
    (json) => `: kept alive\ndata: ${json}\n\n`,
    (json) => `id: 7\ndata: ${json}\nretry: 9\n\n`,
  ],
  (json) => `data: {\ndata: ${json.slice(1)}\n\n`,
];
/** Ways to write an event with bytes that aren't part of it. */
const BROKEN_WIRE = [
  ...[
    (json) => `data: ${json}\nodd}\n\n`,
    (json) => `odd\ndata: ${json}\n\n`,
    (json) => `}data: ${json}\n\n`,
    (json) => `data: ${json}\n\n{"odd\n`,
  ],
  ...[
    (json) => `${json}}\n`,
    (json) => `data: ${json}]\n\n`,
    (json) => `data: ${json}\n\n\n\n`,
    (json) => `data: ${json.slice(0, -3)}\n\n`,
  ],
];

export const encode = (text) => new TextEncoder().encode(text);
const SHORT = TEXTS.filter((text) => text.length < 100);
const isCall = (event) => /"(tool_calls|tool_use|function_call)"/.test(JSON.stringify(event));

/** A stream, and the options to read it with. With `mayBreak`, some of its bytes may not be events. */
export class RandomStream {
  constructor(seed, { mayBreak = false } = {}) {
    this.below = numbersFrom(seed);
    // A stream with structured tool calls isn't searched.
    this.hasCalls = this.chance(3);
    const { first, repeated, between } = this.pick(INTERFACES);
    const isWanted = (event) => this.hasCalls || !isCall(event);
    const makers = repeated.filter((make) => isWanted(make("")));
    this.options = this.pickOptions();
    const events = [...first, ...this.pickEvents(makers, between), ...(this.chance(2) ? this.eventsInOrder(makers[0]) : [])];
    this.events = JSON.parse(JSON.stringify(events.filter(isWanted)));
    this.isBroken = mayBreak && this.chance(3);
    const styles = Array.from({ length: 1 + this.below(3) }, () =>
      this.pick(this.isBroken && this.chance(2) ? BROKEN_WIRE : WIRE),
    );
    this.wire = this.events.map((event) => this.pick(styles)(JSON.stringify(event)));
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  chance(of) {
    return this.below(of) === 0;
  }

  pickOptions() {
    const formats = this.pick([
      undefined,
      ["auto"],
      ["auto", "xlam", "react", "json-fence"],
      ["pythonic"],
      ["llama3-json", "directive"],
    ]);
    const options = {
      coalesce: this.chance(2),
      partialJson: this.chance(4),
      textToolCalls: this.chance(2) ? { tools: [{ name: "f" }], ...(formats && { formats }) } : undefined,
      reasoningTags: this.pick([undefined, undefined, true, { open: true }]),
      loopDetector: this.chance(4) ? { blockLines: 3 } : undefined,
    };
    return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  }

  pickEvents(makers, between) {
    const kinds = Array.from({ length: 1 + this.below(3) }, () => this.pick(makers));
    const texts = Array.from({ length: 2 + this.below(12) }, () =>
      this.pick(this.pick([WORDS, WORDS, MARKUP, MARKUP, FRAGMENTS, SHORT])),
    );
    return Array.from({ length: 5 + this.below(60) }, () => {
      if (this.chance(25)) return this.pick(between);
      const event = this.pick(kinds)(this.pick(texts));
      if (this.chance(8) && "created" in event) event.created = this.below(3);
      if (this.chance(3) && "sequence_number" in event) event.sequence_number = this.below(100);
      return event;
    });
  }

  /** Events with texts that the search recognises, split at random. */
  eventsInOrder(make) {
    const text = Array.from({ length: 1 + this.below(4) }, () => this.pick(FINDS)).join(this.pick(["", "\n", " "]));
    const longest = this.pick([2, 7, 30]);
    const events = [];
    for (let at = 0; at < text.length; ) {
      const size = 1 + this.below(longest);
      events.push(make(text.slice(at, at + size)));
      at += size;
    }
    return events;
  }

  asObjects() {
    return this.events;
  }

  asReads() {
    return this.wire.map(encode);
  }

  asOne() {
    return [encode(this.wire.join(""))];
  }

  /** Splits the bytes at random. */
  asPieces() {
    const bytes = encode(this.wire.join(""));
    const pieces = [];
    for (let at = 0; at < bytes.length; ) {
      const size = 1 + this.below(this.pick([3, 60, 400]));
      pieces.push(bytes.subarray(at, at + size));
      at += size;
    }
    return pieces;
  }

  /** Objects and reads of some events, with snapshots in between. */
  inTurn() {
    const steps = [];
    for (let at = 0; at < this.events.length; ) {
      const count = this.chance(3) ? 1 + this.below(4) : 1;
      const isObject = this.chance(2);
      const slice = (list) => list.slice(at, at + count);
      steps.push(...(isObject ? slice(this.events) : [encode(slice(this.wire).join(""))]));
      if (this.chance(6)) steps.push("snapshot");
      at += count;
    }
    return steps;
  }
}
