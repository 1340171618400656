import type { RequestDelta } from "./runner.js";

/** A JSON text: the arguments of the tool call whose deltas have this `index`, or the text of the answer. */
export type JsonIndex = number | "text";

/**
 * Builds JSON values while their text is still arriving: the arguments of tool calls and, with `agent.outputs`, the text.
 * Values share structure: a value from {@link get} never changes, and in the next one, all objects and arrays without a
 * change are the same (`===`), so that `React.memo` and the like render only what changed.
 *
 * Applying a delta costs time linear in its own length. The first change after a {@link get} also copies the objects and
 * arrays that contain it, each one level deep: call {@link get} when you show the value, such as once per frame, and not
 * for each delta. Code that needs the value after each delta of a long list can use {@link peek}, which copies nothing.
 *
 * Members are plain data, even one named `__proto__`. Apply the deltas of a stream with the option `partialJson`.
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
  /** Applies a delta. Returns whether it is of type `json` and fits; any other delta changes nothing. */
  apply(delta: RequestDelta): boolean;
  /**
   * Returns the value so far; `undefined` before its first delta. Later deltas don't change this value; don't change it
   * yourself. Until a delta changes something, the same value is returned.
   */
  get(index: JsonIndex, choice?: number): unknown;
  /** Returns the value so far, which later deltas may change in place. Takes constant time, however long the value is. */
  peek(index: JsonIndex, choice?: number): unknown;
  /** Returns whether the value is complete. */
  isDone(index: JsonIndex, choice?: number): boolean;
}

/** The result of {@link parsePartialJson}. */
export interface PartialJsonResult {
  /** The value so far; `undefined` if there is none. */
  value: unknown;
  /** Whether the text is valid JSON, the start of it, or neither. */
  state: "complete" | "partial" | "invalid";
}

/**
 * Parses the start of a JSON text. A number at the end is left out, since digits may follow, unless it is the whole text;
 * so is a key without a value. For invalid JSON, the value is the object, array or string that precedes the error.
 *
 * Don't call it repeatedly for a growing text: use {@link PartialJson}.
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
