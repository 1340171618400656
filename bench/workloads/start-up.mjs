// From nothing to the fiftieth event: each in a process of its own.
import { CHAT_TEXT } from "./chat.mjs";

const [EACH_EVENT] = CHAT_TEXT;
/** The part of the full stream that has fifty deltas. */
const SCALE = 0.025;

export default [
  {
    name: "import to the 50th event, cold",
    takes: "start-up",
    unit: "start",
    make: () => ({ input: { case: EACH_EVENT.name, scale: SCALE }, expected: EACH_EVENT.make(SCALE).expected, units: 1 }),
  },
];
