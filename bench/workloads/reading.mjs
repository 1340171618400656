// The cost of reading bytes from a fetch response, which every SDK pays.
import { CHAT_TEXT } from "./chat.mjs";

/** @import { Case } from "./index.mjs" */

/** @type {Case[]} */
export default CHAT_TEXT.map(({ name, make }) => ({
  name: name.replace("chat text", "reading the Response only"),
  takes: "response",
  unit: "event",
  make(scale) {
    const { input, units, bytes } = make(scale);
    return { input, expected: { bytes }, units, bytes };
  },
}));
