// Makes cases from the events of a stream.

const encoder = new TextEncoder();

/** The bytes per read; 0 for one event per read. */
const READS = { "one event per read": 0, "16 KB reads": 16 * 1024, "64 KB reads": 64 * 1024 };

/**
 * Returns a case for each size of reads.
 *
 * @param {string} name
 * @param {string} takes the kind of input, for contenders
 * @param {(scale: number) => { events: object[], wire: (event: object) => string, end?: string, expected: object }} make
 */
export function readCases(name, takes, make) {
  return Object.entries(READS).map(([reads, size]) => ({
    name: `${name}, ${reads}`,
    takes,
    unit: "event",
    make(scale) {
      const { events, wire, end = "", expected } = make(scale);
      const pieces = events.map(wire);
      pieces[pieces.length - 1] += end;
      const input = size === 0 ? pieces.map((piece) => encoder.encode(piece)) : cut(encoder.encode(pieces.join("")), size);
      return { input, expected: withSeen(expected), units: events.length, bytes: byteLength(input) };
    },
  }));
}

/** The same stream as parsed objects. */
export function objectCase(name, takes, make) {
  return {
    name: `push(object), ${name}`,
    takes,
    unit: "event",
    make(scale) {
      const { events, expected } = make(scale);
      return { input: JSON.parse(JSON.stringify(events)), expected: withSeen(expected), units: events.length };
    },
  };
}

/** Adds the number of characters in all deltas: each character appears in one. */
function withSeen(expected) {
  const texts = [expected.text, ...expected.toolCalls.map((call) => call.arguments)];
  return { ...expected, seen: texts.reduce((sum, { length }) => sum + length, 0) };
}

function cut(bytes, size) {
  // Each read has its own memory, like reads from a network.
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
}

function byteLength(reads) {
  return reads.reduce((sum, read) => sum + read.length, 0);
}
