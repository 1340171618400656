// The verdict on a stream that ended without an end marker.
import { missingEnd } from "./end-markers.js";
import { brokenEvents, describeBroken, durationOf, findingsOf, isOutput } from "./findings.js";
import { clip, code, formatTime, link, sentence, tailOf } from "./piece.js";

/** @import { Recording } from "../session/recording.js" */
/** @import { BrokenEvent } from "./findings.js" */
/** @import { Piece, Sentence } from "./piece.js" */
/** @import { Verdict } from "./verdict.js" */

/** Timeouts of proxies and functions, in seconds. @type {[seconds: number, owners: string][]} */
const TIMEOUTS = [
  [10, "serverless functions of small plans"],
  [15, "serverless functions and some load balancers"],
  [30, "Heroku, API gateways and many serverless functions"],
  [55, "Heroku, without a byte"],
  [60, "nginx (proxy_read_timeout), load balancers and serverless functions"],
  [100, "Cloudflare"],
  [120, "load balancers and undici"],
  [300, "serverless functions, and fetch in Node (undici's bodyTimeout)"],
];
/** Maximum difference between a duration and a timeout, in milliseconds. */
const TOLERANCE_MS = 700;
const SILENT_MS = 5000;

/** @param {Recording} recording @returns {Verdict} */
export function truncatedVerdict(recording) {
  const last = recording.frames.length - 1;
  const broken = brokenEvents(recording);
  const duration = durationOf(recording);
  const end = tailOf(recording, last);
  return {
    tone: "bad",
    title: sentence(
      "Broke off ",
      ...(duration === undefined ? [] : [link(`after ${formatTime(duration)}`, last), " "]),
      ...placeOf(recording),
      ": ",
      link(missingEnd(recording.api), last, { start: end.end - 1, end: end.end }),
      ...(broken.length > 0 ? ["; ", ...describeBroken(recording, broken)] : []),
      ".",
    ),
    findings: [...lastWords(recording), ...findingsOf(recording)],
    advice: adviceOf(recording, broken, duration),
  };
}

/** For example "in the arguments of `depth`". @param {Recording} recording @returns {Piece[]} */
function placeOf({ deltas, result }) {
  const frame = deltas.findLastIndex((list) => list.some(isOutput));
  const delta = deltas[frame]?.findLast(isOutput);
  switch (delta?.type) {
    case undefined:
      return sentence("before the answer began");
    case "tool-call-start":
    case "tool-call-delta": {
      const { id } = delta;
      const name = result.toolCalls.find((call) => call.id === id)?.name ?? "";
      return [{ ...link("in the arguments of ", frame), ...code(name), text: "in the arguments of " }];
    }
    case "tool-call-end": {
      const { name } = delta.toolCall;
      // The stream broke in a call that only the end of the input has ended.
      if (delta.status !== "complete") return [{ text: "in the arguments of ", code: name, frame }];
      return [{ text: "after the call of ", code: name, frame }];
    }
    case "reasoning":
      return [link("in the reasoning", frame)];
    case "refusal":
      return [link("in the refusal", frame)];
    default:
      return [link("in the middle of the text", frame)];
  }
}

/** @param {Recording} recording @returns {Sentence[]} */
function lastWords({ deltas, result }) {
  const index = result.toolCallStatus.indexOf("truncated");
  const call = index < 0 ? undefined : result.toolCalls[index];
  const text = call?.arguments ?? (result.text || result.reasoning);
  if (text === "") return [];
  const frame = deltas.findLastIndex((list) => list.some(isOutput));
  return [
    sentence(
      call ? "The arguments stop at " : "The last words are ",
      { ...link("", frame), code: `${text.length > 60 ? "…" : ""}${text.slice(-60)}` },
      ".",
    ),
  ];
}

/** @param {Recording} recording @param {BrokenEvent[]} broken @param {number | undefined} duration */
function adviceOf(recording, broken, duration) {
  const { frames } = recording;
  const last = frames.length - 1;
  const advice = [];
  const timeout = TIMEOUTS.find(([seconds]) => Math.abs((duration ?? 0) - seconds * 1000) <= TOLERANCE_MS);
  if (timeout)
    advice.push(
      `It ended after almost exactly ${timeout[0]} s, which is a limit of ${timeout[1]}. Raise it, or send keep-alive comments.`,
    );
  const silence = (duration ?? 0) - (frames[last]?.time ?? duration ?? 0);
  if (silence > SILENT_MS)
    advice.push(`Nothing came for the last ${formatTime(silence)}: a timeout for idle connections may have cut it.`);
  if (broken.some(({ frame }) => frame < last))
    advice.push(
      "An event is damaged although later ones arrived: something between you and the provider loses bytes or writes each chunk as an event of its own. Read bytes, and let the decoder find where events end.",
    );
  if (broken.some(({ frame, isHalf }) => isHalf && frame === last)) {
    advice.push("The bytes stop inside an event: the connection was cut from outside, not ended by the server.");
  }
  advice.push(
    "Send the same request by curl -N. If that one ends well, look between: timeouts and buffering of proxies, the limit of a serverless function, an AbortController, a process that restarts.",
    "If curl breaks off too, the provider ended it: retry, and report the id of the response.",
  );
  return advice.map((text) => clip(text, 400));
}
