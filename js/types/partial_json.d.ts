import type { Delta } from "../../pkg/wasm/respool.js";

/** Which JSON text: that of the tool call of this `index`, or the text of the answer. */
export type JsonIndex = number | "text";

/**
 * JSON values that are there while their text still arrives: the arguments of tool calls and, with
 * `agent.outputs`, the text. A value is one JavaScript object from its beginning to its end, and grows in place; what a delta
 * costs depends on the delta, not on the value. Members are plain data, also one named `__proto__`.
 *
 * Give it the deltas of a stream with the option `partialJson`.
 *
 * @example
 * ```ts
 * import { PartialJson, StreamAccumulator } from "respool";
 *
 * const stream = new StreamAccumulator({ partialJson: true });
 * const live = new PartialJson();
 * const call = (fragment: string) => ({ choices: [{ delta: { tool_calls: [{ index: 0, id: "a", function: { name: "tide", arguments: fragment } }] } }] });
 * for (const fragment of ['{"port":"Bo', 'dø","days":[1', "2,3"]) {
 *   for (const delta of stream.push(call(fragment))) live.apply(delta);
 *   console.log(live.get(0));
 * }
 * // → { port: 'Bo' }
 * // → { port: 'Bodø', days: [] }
 * // → { port: 'Bodø', days: [ 12 ] }
 * stream.free();
 * ```
 */
export class PartialJson {
  constructor();
  /** Takes in a delta. Answers whether the delta is of type `json` and fits; all others are ignored. */
  apply(delta: Delta): boolean;
  /** The value so far; `undefined` before anything is known. It is not a copy, and goes on growing. */
  get(index: JsonIndex, choice?: number): unknown;
  /** Whether the value is complete. */
  isDone(index: JsonIndex, choice?: number): boolean;
}

/** What {@link parsePartialJson} gives. */
export interface PartialJsonResult {
  /** What is known of the value; `undefined` if nothing is. */
  value: unknown;
  /** Whether the text is JSON, the beginning of it, or neither. */
  state: "complete" | "partial" | "invalid";
}

/**
 * What is known of a JSON value by the beginning of its text. A number at the end counts only where it is the whole
 * text, since digits may follow; a key only if something is known of its value. Of a text that is no JSON the value is
 * what stands before the error.
 *
 * For a text that grows do not call this again and again: see {@link PartialJson}.
 *
 * @throws {@link RespoolError} `invalid-option` for anything but a string
 *
 * @example
 * ```ts
 * import { parsePartialJson } from "respool";
 *
 * const { value, state } = parsePartialJson('{"port":"Bodø","days":[1,2,"Thu');
 * console.log(value, state); // → { port: 'Bodø', days: [ 1, 2, 'Thu' ] } partial
 * ```
 */
export function parsePartialJson(text: string): PartialJsonResult;
