// Streams to save and to restore near their end.
import anthropic from "./anthropic.mjs";
import chat from "./chat.mjs";

/** @import { Answer } from "./cases.mjs" */
/** @import { Case } from "./index.mjs" */

/**
 * `last` is the read after the stream is restored; `answer` is the state that a hand-written program would save.
 *
 * @typedef {{ reads: Uint8Array[], last: Uint8Array, answer: Answer }} Saving
 */

/** Answers that are `times` as long as in the other benchmarks, to have 100 KB of text and arguments. */
const ANSWERS = [
  { name: "100 KB, Anthropic", cases: anthropic, from: "Anthropic, 16 KB reads", takes: "anthropic stream", times: 15 },
  { name: "100 KB, chat tool calls", cases: chat, from: "parallel tool calls, 16 KB reads", takes: "chat stream", times: 34 },
];

/** @type {Case[]} */
export default ["save", "restore"].flatMap((work) =>
  ANSWERS.map(({ name, cases, from, takes, times }) => ({
    name: `${work}(), ${name}`,
    takes: `${takes} to ${work}`,
    unit: work,
    make(scale) {
      const made = cases.find((one) => one.name === from)?.make(scale * times);
      if (made === undefined) throw new Error(`there is no case ${from}`);
      const { seen, ...answer } = /** @type {Answer & { seen: number }} */ (made.expected);
      const input = { reads: made.input.slice(0, -1), last: made.input.at(-1), answer };
      return { input, expected: answer, units: 1 };
    },
  })),
);
