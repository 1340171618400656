// Continues streams that another process has saved: reads them from standard input, and writes the rest.
import { readFileSync } from "node:fs";
import { StreamAccumulator } from "respool";

const bytesOf = (base64) => Buffer.from(base64, "base64");
const streams = JSON.parse(readFileSync(0, "utf8"));
const resumed = streams.map(({ saved, rest }) => {
  const accumulator = StreamAccumulator.restore(bytesOf(saved));
  const deltas = accumulator.pushBytes(bytesOf(rest));
  const result = accumulator.finish();
  return { deltas: [...deltas, ...accumulator.takeDeltas()], result };
});
process.stdout.write(JSON.stringify(resumed));
