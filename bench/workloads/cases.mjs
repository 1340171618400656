// From the events of a stream to the cases that are measured.

const encoder = new TextEncoder();

/** How many bytes a read has; 0 for one event in each. */
const READS = { "one event a read": 0, "16 KB reads": 16 * 1024, "64 KB reads": 64 * 1024 };

/**
 * A stream at each size of its reads.
 *
 * @param {string} name
 * @param {string} takes what contenders have to be able to read
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

/** The same stream as objects: what JSON.parse makes of its events. */
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

/** Whoever reads the deltas sees each character once. */
function withSeen(expected) {
  const texts = [expected.text, ...expected.toolCalls.map((call) => call.arguments)];
  return { ...expected, seen: texts.reduce((sum, { length }) => sum + length, 0) };
}

function cut(bytes, size) {
  // Each read has memory of its own, as reads from a network have.
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
}

function byteLength(reads) {
  return reads.reduce((sum, read) => sum + read.length, 0);
}
