// Streams that are translated to another interface: how long that takes besides reading them.
import anthropic from "./anthropic.mjs";
import { CHAT_TEXT } from "./chat.mjs";

/** @import { Case } from "./index.mjs" */

/** Cases with the same input, for contenders that translate. @param {Case[]} cases @param {string} name @param {string} takes @returns {Case[]} */
const translated = (cases, name, takes) =>
  cases
    .filter(({ name }) => name.endsWith(", 16 KB reads"))
    .map((one) => ({
      ...one,
      name: `${name}, 16 KB reads`,
      takes,
      make(scale, seed) {
        const made = one.make(scale, seed);
        const { text } = /** @type {{ text: string }} */ (made.expected);
        return { ...made, expected: { text } };
      },
    }));

/** @type {Case[]} */
export default [
  ...translated(CHAT_TEXT, "chat → Anthropic", "chat reads for Anthropic"),
  ...translated(
    anthropic.filter(({ takes }) => takes === "anthropic reads"),
    "Anthropic → Responses",
    "anthropic reads for Responses",
  ),
];
