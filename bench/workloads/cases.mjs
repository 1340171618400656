// Makes cases from the events of a stream.
import { Random } from "../random.mjs";

/** @import { Case } from "./index.mjs" */

/** @typedef {{ id: string, name: string, arguments: string }} Call */
/** @typedef {{ input?: number | undefined, output?: number | undefined }} Tokens */

/**
 * @typedef {object} Answer
 * @property {string} text
 * @property {Call[]} toolCalls
 * @property {string | undefined} finishReason the provider's own
 * @property {Tokens | undefined} usage
 */

/**
 * @template {object} Event
 * @typedef {{ events: Event[], wire: (event: Event) => string | Uint8Array, end?: string, expected: Answer }} Stream
 */

const encoder = new TextEncoder();

/** Returns a piece of the wire format as bytes. @param {string | Uint8Array} piece */
export const bytesOf = (piece) => (typeof piece === "string" ? encoder.encode(piece) : piece);

/** Number of different streams that are read in turn, so that repeated values of one don't occur in the next. */
const DIFFERENT = 3;

/** The bytes per read (0 for one event per read), and the share of the events that are included. */
const READS = {
  "one event per read": { size: 0, share: 1 },
  "16 KB reads": { size: 16 * 1024, share: 1 },
  "64 KB reads": { size: 64 * 1024, share: 1 },
  // About 100 events, as most answers have.
  "short answers": { size: 16 * 1024, share: 0.05 },
};

/**
 * Returns a case for each size of reads, and one for short answers.
 *
 * @template {object} Event
 * @param {string} name
 * @param {string} takes the kind of input, for contenders
 * @param {(scale: number, random: Random) => Stream<Event>} make
 * @returns {Case[]}
 */
export function readCases(name, takes, make) {
  return Object.entries(READS).map(([reads, { size, share }]) => ({
    name: `${name}, ${reads}`,
    takes,
    unit: "event",
    inputs: DIFFERENT,
    make(scale, seed = 0) {
      const { events, wire, end = "", expected } = make(scale * share, new Random(seed));
      const pieces = events.map(wire).map(bytesOf);
      const last = pieces.pop() ?? new Uint8Array();
      pieces.push(Buffer.concat([last, bytesOf(end)]));
      const input = size === 0 ? pieces : cut(new Uint8Array(Buffer.concat(pieces)), size);
      return { input, expected: withSeen(expected), units: events.length, bytes: byteLength(input) };
    },
  }));
}

/**
 * Returns a case that passes the events as parsed objects.
 *
 * @template {object} Event
 * @param {string} name
 * @param {string} takes
 * @param {(scale: number, random: Random) => Stream<Event>} make
 * @returns {Case}
 */
export function objectCase(name, takes, make) {
  return {
    name: `push(object), ${name}`,
    takes,
    unit: "event",
    inputs: DIFFERENT,
    make(scale, seed = 0) {
      const { events, expected } = make(scale, new Random(seed));
      return { input: JSON.parse(JSON.stringify(events)), expected: withSeen(expected), units: events.length };
    },
  };
}

/** Adds the number of characters in all deltas: each character appears in one. @param {Answer} expected */
function withSeen(expected) {
  const texts = [expected.text, ...expected.toolCalls.map((call) => call.arguments)];
  return { ...expected, seen: texts.reduce((sum, { length }) => sum + length, 0) };
}

/** @param {Uint8Array} bytes @param {number} size */
function cut(bytes, size) {
  // Each read has its own memory, like reads from a network.
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
}

/** @param {Uint8Array[]} reads */
function byteLength(reads) {
  return reads.reduce((sum, read) => sum + read.length, 0);
}
