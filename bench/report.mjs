// The table, for people and for README.md.

/** Which machine, which versions. */
export function machineLines({ processor, cores, memoryGiB, node, packages }) {
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  return [`${processor}, ${cores} cores, ${memoryGiB} GiB, Node ${node}`, versions.join(", ")];
}

/** One case as aligned text. */
export function caseLines({ name, unit, units, bytes, contenders }) {
  const size = [`${count(units)} ${unit}${units === 1 ? "" : "s"}`, ...(bytes ? [`${count(bytes)} bytes`] : [])].join(", ");
  const rows = contenders.map(({ name, nanoseconds, megabytesPerSecond, ratio }) => [
    name,
    `${duration(nanoseconds)} per ${unit}`,
    megabytesPerSecond === undefined ? "" : `${significant(megabytesPerSecond)} MB/s`,
    ratio === undefined ? "" : `${significant(ratio.median)} ×`,
    ratio === undefined ? "" : `(${significant(ratio.low)}–${significant(ratio.high)})`,
  ]);
  return [`${name}  (${size})`, ...aligned(rows)];
}

/** The pairs that matter most, as Markdown. */
export function markdownTable(results, headlines) {
  const rows = headlines.flatMap(({ work, against, reference }) => {
    const found = results.find(({ name }) => name === work)?.contenders;
    const [ours, theirs] = [reference, against].map((name) => found?.find((contender) => contender.name === name));
    if (ours === undefined || theirs === undefined) return [];
    const unit = results.find(({ name }) => name === work).unit;
    return [[work, `${duration(ours.nanoseconds)} per ${unit}`, against, duration(theirs.nanoseconds), `${significant(theirs.ratio.median)} ×`]];
  });
  const lines = [["", "respool", "against", "", "times faster"], ["---", "--:", "---", "--:", "--:"], ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`);
}

function aligned(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const [first, ...others] = widths;
  return rows.map(([name, ...cells]) =>
    `  ${name.padEnd(first)}${cells.map((cell, column) => `  ${cell.padStart(others[column])}`).join("")}`.trimEnd(),
  );
}

/** A time in the unit that suits it. */
function duration(nanoseconds) {
  if (nanoseconds < 1e5) return `${significant(nanoseconds)} ns`;
  if (nanoseconds < 1e7) return `${significant(nanoseconds / 1e3)} µs`;
  return `${significant(nanoseconds / 1e6)} ms`;
}

/** Three figures say what such a measurement knows. */
function significant(value) {
  return value >= 100 ? count(Math.round(value)) : String(Number(value.toPrecision(value < 10 ? 2 : 3)));
}

function count(value) {
  return value.toLocaleString("en");
}
