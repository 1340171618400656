import { Accumulator } from "../pkg/wasm/respool.js";
import { kindOf, takeDeltas, takeText, textDelta, toolCallDelta } from "./deltas.js";
import { messageOf } from "./errors.js";
import { Handle, makeDisposable, makeInspectable } from "./handle.js";
import { trim, writeBytes, writeText } from "./inbox.js";
import { sizeOf } from "./input.js";
import { readStreamOptions } from "./options.js";
import { fit, patternOf } from "./repeats.js";
import { Results } from "./results.js";

/** What the module says in place of a number of deltas: see src/wasm/accumulator.rs. */
const FINISHED = 0xffffffff;
const AS_EXPECTED = 0xfffffffe;
const AS_BEFORE = 0xfffffffd;

/** So many characters of repeated chunks are told to the module at once. */
const MAX_PENDING = 4096;

/** Whether the inbox is in use: a codec of the user's may push to another accumulator meanwhile. */
let isBusy = false;

export class StreamAccumulator {
  static get name() {
    return "StreamAccumulator";
  }

  #handle;
  /** The chunks that may be repeated, by the number that the module gives them: `{ pattern, like }`. */
  #repeats = [];
  /**
   * The chunk that was repeated last, when nothing else was read since: what it adds is certain, so that its text can
   * wait until the module has to know it. -1 for none.
   */
  #last = -1;
  #pending = "";
  /** Whether the text of a repeated chunk may wait. */
  #mayWait;
  /** The delta of the last read that had but one, which is more than a text. */
  #single;
  /** Where text is searched for tool calls and reasoning: text with which neither can begin. */
  #plain;
  #hasTemplates;
  #results = new Results();

  constructor(options) {
    const { given, hasTemplates, mayWait } = readStreamOptions(options);
    this.#handle = new Handle(new Accumulator(...given), "StreamAccumulator");
    this.#hasTemplates = hasTemplates;
    this.#mayWait = mayWait;
    this.#plain = plainText(this.#handle.inner.leads());
  }

  /** The object in the module, which knows all that was pushed. */
  #settle() {
    const { inner } = this.#handle;
    if (this.#last < 0) return inner;
    const number = this.#last;
    const text = this.#pending;
    this.#last = -1;
    this.#pending = "";
    if (text !== "") inner.pushRepeatedText(number, text);
    return inner;
  }

  push(chunk) {
    const { inner } = this.#handle;
    for (let number = 0; number < this.#repeats.length; number++) {
      const { pattern, like } = this.#repeats[number];
      const text = pattern && !isBusy ? fit(pattern, chunk) : undefined;
      // A getter may have pushed to this accumulator meanwhile.
      if (text === undefined || this.#repeats[number]?.pattern !== pattern) continue;
      if (number === this.#last && (this.#plain === undefined || this.#plain.test(text))) {
        this.#pending += text;
        if (this.#pending.length > MAX_PENDING) this.#settle();
        return [withText(like, text)];
      }
      this.#settle();
      const deltas = this.#pushRepeat(inner, number, like, text);
      if (deltas) return deltas;
    }
    this.#settle();
    const deltas = takeDeltas(inner.push(chunk));
    // A getter may have freed it meanwhile.
    if (this.#hasTemplates) this.#learn(this.#handle.inner, chunk);
    return deltas;
  }

  /** Whether a chunk that was read may come again with another text. */
  #learn(inner, chunk) {
    const again = inner.repeatable();
    const isRepeatable = again !== 0xffffffff;
    const kept = isRepeatable ? again >>> 16 : 0;
    if (this.#repeats.length > kept) this.#repeats = this.#repeats.slice(0, kept);
    const pattern = isRepeatable ? patternOf(chunk, again & 0xffff) : undefined;
    if (isRepeatable && this.#repeats.length === kept) this.#repeats.push({ pattern, like: undefined });
  }

  /** `like`: a delta that such a chunk has given. Undefined where the module does not know the number, or no more. */
  #pushRepeat(inner, number, like, text) {
    const count = inner.pushRepeat(number, writeText(text), kindOf(like));
    if (count === FINISHED) return undefined;
    if (count === AS_EXPECTED) {
      if (this.#mayWait) this.#last = number;
      return [withText(like, text)];
    }
    const deltas = takeDeltas(count);
    const isPlain = deltas.length === 1 && (deltas[0].text ?? deltas[0].arguments) === text;
    // A call that was found in the text is another one the next time.
    const isLasting = this.#plain === undefined || deltas[0]?.type !== "tool-call-delta";
    if (isPlain && isLasting) this.#repeats[number].like = deltas[0];
    return deltas;
  }

  pushBytes(bytes) {
    const inner = this.#settle();
    if (this.#repeats.length > 0) this.#repeats = [];
    const size = sizeOf(bytes);
    if (size === undefined || isBusy) return this.#take(inner.pushBytes(bytes));
    isBusy = true;
    try {
      writeBytes(bytes, size);
      return this.#take(inner.pushInbox(size));
    } finally {
      isBusy = false;
      trim();
    }
  }

  #take(count) {
    if (count === AS_BEFORE) return [withText(this.#single, takeText())];
    // Asking for nothing throws what is wrong.
    const deltas = takeDeltas(count === FINISHED ? this.#handle.inner.pushBytes(new Uint8Array()) : count);
    // A copy, as those that are given out may be changed.
    if (count === 1) this.#single = withText(deltas[0], "");
    return deltas;
  }

  finish() {
    const inner = this.#settle();
    inner.finish();
    return this.#results.take(inner, true);
  }

  abort(reason) {
    // A getter of the reason may free this accumulator.
    const message = reason === undefined ? undefined : messageOf(reason);
    const inner = this.#settle();
    inner.abort(message);
    return this.#results.take(inner, true);
  }

  snapshot() {
    return this.#results.take(this.#settle(), false);
  }

  takeDeltas() {
    return takeDeltas(this.#settle().takeDeltas());
  }

  free() {
    this.#handle.free();
  }
}

makeDisposable(StreamAccumulator);
makeInspectable(StreamAccumulator, (accumulator) => {
  const { ending, text, toolCalls, warnings, error } = accumulator.snapshot();
  return { ending, textLength: text.length, toolCalls: toolCalls.length, warnings: warnings.length, ...(error && { error }) };
});

/** ASCII text that has none of these characters, and of those that are letters none at the beginning of a word. */
function plainText(leads) {
  if (leads === "") return undefined;
  const letters = leads.replace(/\W/g, "");
  const others = leads.replace(/\w/g, "").replace(/[\]\\^-]/g, "\\$&");
  return new RegExp(`^${letters && `(?![^]*\\b[${letters}])`}[^${others}\\u0080-\\uffff]*$`);
}

/** A delta like another one, with this text. */
function withText(like, text) {
  const choice = like.choice ?? 0;
  if (like.type === "tool-call-delta") return toolCallDelta(like.index, like.id, text, choice);
  return textDelta(like.type, text, choice);
}
