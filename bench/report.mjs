// Formats the results as text, and as the table of docs/benchmarks.md.

/** @import { describeMachine } from "./machine.mjs" */
/** @import { Measurement, Ratio } from "./measure.mjs" */
/** @import { Headline } from "./headlines.mjs" */

/** Describes the machine and the versions. @param {ReturnType<typeof describeMachine>} machine */
export function machineLines({ processor, cores, memoryGiB, node, packages }) {
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  return [`${processor}, ${cores} cores, ${memoryGiB} GiB, Node ${node}`, versions.join(", ")];
}

/** Formats a case as aligned text. @param {Measurement} measurement */
export function caseLines({ name, unit, units, bytes, contenders }) {
  const size = [`${count(units)} ${unit}${units === 1 ? "" : "s"}`, ...(bytes ? [`${count(bytes)} bytes`] : [])].join(", ");
  const [first] = contenders;
  const alike = contenders.find(({ over }) => over !== undefined);
  const isComparedTwice = alike !== undefined && alike !== first && alike.name.startsWith("respool");
  const rows = contenders.map(({ name, nanoseconds, megabytesPerSecond, samples, ratio, ratioAlike }) => [
    name,
    duration(nanoseconds),
    megabytesPerSecond === undefined ? "" : significant(megabytesPerSecond),
    times(ratio, samples),
    ...(isComparedTwice ? [times(ratioAlike, samples)] : []),
  ]);
  const header = [
    ...["", `per ${unit}`, bytes ? "MB/s" : "", contenders.length > 1 ? `vs ${first.name}` : ""],
    ...(isComparedTwice ? [`vs ${alike.name}`] : []),
  ];
  return [`${name}  (${size})`, ...aligned([header, ...rows])];
}

/** @param {Ratio | undefined} ratio @param {number} samples */
function times(ratio, samples) {
  if (ratio === undefined) return "";
  const spread = samples === 1 ? "once" : `${significant(ratio.low)}–${significant(ratio.high)}`;
  return `${significant(ratio.median)} × (${spread})`;
}

/** Formats the table of docs/benchmarks.md. @param {Measurement[]} results @param {Headline[]} headlines */
export function markdownTable(results, headlines) {
  const rows = headlines.flatMap(({ work, reference, against }) => {
    const result = results.find(({ name }) => name === work);
    const figuresOf = (/** @type {string} */ wanted) => result?.contenders.find(({ name }) => name === wanted);
    const ours = figuresOf(reference);
    return against.flatMap((name, at) => {
      const theirs = figuresOf(name);
      if (result === undefined || ours === undefined || theirs?.ratio === undefined) return [];
      const [label, own] = at === 0 ? [`${work}, per ${result.unit}`, duration(ours.nanoseconds)] : ["", ""];
      return [[label, own, name, duration(theirs.nanoseconds), `${significant(theirs.ratio.median)} ×`]];
    });
  });
  const lines = [["Work", "respool", "Alternative", "time", "ratio"], ["---", "--:", "---", "--:", "--:"], ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`);
}

/** @param {string[][]} rows */
function aligned(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const [first, ...others] = widths;
  return rows.map(([name, ...cells]) =>
    `  ${name.padEnd(first)}${cells.map((cell, column) => `  ${cell.padStart(others[column])}`).join("")}`.trimEnd(),
  );
}

/** Formats a time in a suitable unit. @param {number} nanoseconds */
function duration(nanoseconds) {
  if (nanoseconds < 1e5) return `${significant(nanoseconds)} ns`;
  if (nanoseconds < 1e6) return `${significant(nanoseconds / 1e3)} µs`;
  return `${significant(nanoseconds / 1e6)} ms`;
}

/** Rounds to 2 digits below 10, 3 below 100, else to an integer: measurements aren't more precise. @param {number} value */
function significant(value) {
  return value >= 100 ? count(Math.round(value)) : String(Number(value.toPrecision(value < 10 ? 2 : 3)));
}

/** @param {number} value */
function count(value) {
  return value.toLocaleString("en");
}
