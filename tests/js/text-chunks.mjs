// Shared helpers for the tests of tool calls in text.
import { StreamAccumulator } from "respool";

export const TOOLS = [
  { name: "tide", input_schema: { type: "object", properties: { place: { type: "string" }, days: { type: "integer" } } } },
];
export const CALL = '<tool_call>{"name": "tide", "arguments": {"place": "Brest"}}</tool_call>';

export const chunkOf = (delta, finish_reason = null) => ({ id: "c", choices: [{ index: 0, delta, finish_reason }] });
export const streamOf = (pieces, options) => {
  const accumulator = new StreamAccumulator(options);
  const deltas = pieces.flatMap((content) => accumulator.push(chunkOf({ content })));
  deltas.push(...accumulator.push(chunkOf({}, "stop")));
  return { deltas, result: accumulator.finish() };
};
export const joined = (deltas, type) =>
  deltas
    .filter((delta) => delta.type === type)
    .map((delta) => delta.text)
    .join("");
