// Many streams that are open at once, as in a server or a proxy: one event of each in turn.
import { Random } from "../random.mjs";
import { bytesOf } from "./cases.mjs";
import { proseAnswer } from "./chat.mjs";

const COUNTS = [1000, 10_000, 40_000];
const TEXT_EVENTS = 58;
/** Number of different streams; the others are copies. */
const DIFFERENT = 50;

/** @import { Case } from "./index.mjs" */

/** @type {Case[]} */
export default COUNTS.map((count) => ({
  name: `${count.toLocaleString("en")} open streams, one event of each in turn`,
  takes: "open chat streams",
  unit: "event",
  make(scale) {
    const answers = Array.from({ length: DIFFERENT }, (_, seed) => proseAnswer(new Random(seed), TEXT_EVENTS));
    const streams = answers.map(({ events, wire, end }) => {
      const reads = events.map((event) => bytesOf(wire(event)));
      return [...reads, bytesOf(end ?? "")];
    });
    const open = Math.ceil(count * scale);
    const input = Array.from({ length: open }, (_, at) => streams[at % DIFFERENT]);
    const characters = Array.from({ length: open }, (_, at) => answers[at % DIFFERENT].expected.text.length);
    const seen = characters.reduce((sum, length) => sum + length, 0);
    return { input, expected: { seen, finished: open }, units: open * (streams[0].length - 1) };
  },
}));
