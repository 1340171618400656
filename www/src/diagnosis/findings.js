// Facts about a recording that a verdict mentions: damaged events, warnings, long gaps.
import { parsePartialJson } from "respool";
import { parseEvent } from "../capture/event.js";
import { code, countOf, formatTime, link, sentence, tailOf } from "./piece.js";

/** @import { Delta } from "respool" */
/** @import { Recording } from "../session/recording.js" */
/** @import { Piece, Sentence } from "./piece.js" */

/** Minimum length in milliseconds of a gap that is mentioned. */
const LONG_GAP_MS = 1000;
const MOST_WARNINGS = 6;

/** Types of deltas that contain output of the model. @type {Set<Delta["type"]>} */
const OUTPUT = new Set(["text", "reasoning", "refusal", "tool-call-start", "tool-call-delta", "tool-call-end", "image", "audio"]);

/** @param {Delta} delta */
export const isOutput = ({ type }) => OUTPUT.has(type);

/** Returns the milliseconds until the last event, if known. @param {Recording} recording */
export const durationOf = ({ frames, exchange }) => frames.at(-1)?.time ?? exchange?.duration;

/** An event that isn't valid JSON. @typedef {{ frame: number, isHalf: boolean }} BrokenEvent */

/** @param {Recording} recording @returns {BrokenEvent[]} */
export function brokenEvents(recording) {
  return recording.deltas.flatMap((list, frame) => {
    if (!list.some((delta) => delta.type === "warning" && delta.code === "invalid-event")) return [];
    const { data, isJson } = parseEvent(recording.bytesOf(recording.frames[frame]));
    return isJson || data === "" ? [] : [{ frame, isHalf: parsePartialJson(data).state === "partial" }];
  });
}

/** For example "event 9 is half a JSON object". @param {Recording} recording @param {BrokenEvent[]} events @returns {Piece[]} */
export function describeBroken(recording, events) {
  const shown = events.slice(0, 3);
  const pieces = shown.flatMap(({ frame, isHalf }, index) => [
    ...(index > 0 ? [{ text: ", " }] : []),
    link(`event ${frame + 1} ${isHalf ? "is half a JSON object" : "isn't valid JSON"}`, frame, tailOf(recording, frame)),
  ]);
  const rest = events.length - shown.length;
  return rest > 0 ? [...pieces, { text: ` and ${countOf(rest, "more event")}` }] : pieces;
}

/** @param {Recording} recording @returns {Sentence[]} */
export const findingsOf = (recording) => [...gapFinding(recording), ...warningFindings(recording)];

/** Returns the longest gap between two events. @param {Recording} recording @returns {Sentence[]} */
function gapFinding({ frames }) {
  let longest = { gap: 0, index: 0 };
  for (let index = 1; index < frames.length; index++) {
    const gap = (frames[index].time ?? 0) - (frames[index - 1].time ?? 0);
    if (gap > longest.gap) longest = { gap, index };
  }
  if (longest.gap < LONG_GAP_MS) return [];
  return [sentence("The longest gap, ", link(formatTime(longest.gap), longest.index), `, is before event ${longest.index + 1}.`)];
}

/** Returns the warnings, each with its event. @param {Recording} recording @returns {Sentence[]} */
function warningFindings({ deltas }) {
  const found = deltas.flatMap((list, frame) =>
    list.flatMap((delta) => (delta.type === "warning" ? [{ frame, code: delta.code, message: delta.message }] : [])),
  );
  const shown = found
    .slice(0, MOST_WARNINGS)
    .map((warning) =>
      sentence(link(`Event ${warning.frame + 1}`, warning.frame), ": ", code(warning.code), ` ${warning.message}`),
    );
  const rest = found.length - shown.length;
  return rest > 0 ? [...shown, sentence(`${countOf(rest, "more warning")}: see the result.`)] : shown;
}
