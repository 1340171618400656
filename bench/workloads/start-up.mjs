// From the import to the 50th event, each contender in a separate process.
import { CHAT_TEXT } from "./chat.mjs";

const [EACH_EVENT] = CHAT_TEXT;
/** The fraction of the full stream that has fifty deltas. */
const SCALE = 0.025;

/** @import { Case } from "./index.mjs" */

/** @type {Case[]} */
export default [
  {
    name: "cold start, import to 50th event",
    takes: "start-up",
    unit: "start",
    make: () => ({ input: { case: EACH_EVENT.name, scale: SCALE }, expected: EACH_EVENT.make(SCALE).expected, units: 1 }),
  },
];
