// The verdict on a response that ended normally, or that the provider ended early.
import { brokenEvents, describeBroken, durationOf, findingsOf } from "./findings.js";
import { clip, code, countOf, formatTime, link, sentence } from "./piece.js";

/** @import { FinishReason } from "respool" */
/** @import { Recording } from "../session/recording.js" */
/** @import { Piece, Sentence } from "./piece.js" */
/** @import { Verdict } from "./verdict.js" */

/** @param {Recording} recording @returns {Verdict} */
export function completeVerdict(recording) {
  const { result, hasMessage } = recording;
  if (!hasMessage) return { tone: "good", title: sentence(`A complete body of ${recording.api}.`), findings: [], advice: [] };
  if (result.refusal) return refusalVerdict(recording);
  const finish = frameOf(recording, "finish");
  const { finishReason } = result;
  const invalid = result.toolCallStatus.indexOf("invalid");
  if (invalid >= 0) return invalidCallVerdict(recording, result.toolCalls[invalid].name);
  if (finishReason === "length") return lengthVerdict(recording, finish);
  if (finishReason === "content_filter") return filterVerdict(recording, finish);
  const broken = brokenEvents(recording);
  // Workers AI's own form has no finish reason.
  const lacksReason = finishReason === undefined && recording.api !== "workers-ai";
  const isOdd = broken.length > 0 || lacksReason || typeof finishReason === "object";
  return {
    tone: isOdd ? "warning" : "good",
    title: sentence(
      "Complete: ",
      ...reasonOf(recording, finishReason, finish),
      ...totals(recording),
      ...(broken.length > 0 ? ["; ", ...describeBroken(recording, broken)] : []),
      ".",
    ),
    findings: findingsOf(recording),
    advice: adviceOf(broken.length > 0, lacksReason, finishReason),
  };
}

/** @param {boolean} isDamaged @param {boolean} lacksReason @param {FinishReason | undefined} reason */
function adviceOf(isDamaged, lacksReason, reason) {
  return [
    ...(isDamaged
      ? ["Part of the answer may be missing: the damaged event was skipped. Look for a proxy or code that splits or joins lines."]
      : []),
    ...(lacksReason
      ? ["The end marker arrived, but no finish reason: clients that wait for one see this answer as broken."]
      : []),
    ...(typeof reason === "object" ? ["Only this provider uses this finish reason: look it up in its documentation."] : []),
  ];
}

/** Returns the index of the last event with a delta of this type. @param {Recording} recording @param {string} type */
function frameOf({ deltas }, type) {
  return deltas.findLastIndex((list) => list.some((delta) => delta.type === type));
}

/** @param {string} text @param {number} frame @returns {Piece} */
const linkIf = (text, frame) => (frame < 0 ? { text } : link(text, frame));

/** @param {Recording} recording @param {FinishReason | undefined} reason @param {number} frame @returns {Sentence} */
function reasonOf({ result, api }, reason, frame) {
  if (reason === undefined) {
    return sentence(api === "workers-ai" ? "the end marker arrived" : "the end marker arrived, but no finish reason");
  }
  if (typeof reason === "object") return sentence(linkIf("ended for the reason", frame), " ", code(reason.unknown));
  if (reason === "tool_use" || result.toolCalls.length > 0) {
    const names = [...new Set(result.toolCalls.map(({ name }) => name))];
    return sentence(
      linkIf("the model calls", frame),
      " ",
      ...names.slice(0, 4).flatMap((name, index) => [index > 0 ? ", " : "", code(name)]),
      names.length > 4 ? " …" : "",
      " and waits for ",
      result.toolCalls.length === 1 ? "the result" : "the results",
    );
  }
  return sentence(
    linkIf("the model ended its answer", frame),
    ...(result.rawFinishReason ? [" (", code(result.rawFinishReason), ")"] : []),
  );
}

/** For example ", after 2.48 s, 82 events, 305 tokens". @param {Recording} recording @returns {(string | Piece)[]} */
function totals(recording) {
  const { frames, result } = recording;
  const duration = durationOf(recording);
  const tokens = result.usage?.totalTokens;
  return [
    ...(duration === undefined ? [] : [`, after ${formatTime(duration)}`]),
    ...(frames.length > 1 ? [`, ${countOf(frames.length, "event")}`] : []),
    ...(tokens === undefined ? [] : [`, ${countOf(tokens, "token")}`]),
  ];
}

/** @param {Recording} recording @returns {Verdict} */
function refusalVerdict(recording) {
  const { refusal = "" } = recording.result;
  return {
    tone: "warning",
    title: sentence(linkIf("The model refused", frameOf(recording, "refusal")), ": ", clip(refusal, 160)),
    findings: findingsOf(recording),
    advice: ["The stream is intact. A refusal isn't an error of the request: show it, or rephrase the prompt."],
  };
}

/** @param {Recording} recording @param {string} name @returns {Verdict} */
function invalidCallVerdict(recording, name) {
  const frame = recording.deltas.findIndex((list) =>
    list.some((delta) => delta.type === "tool-call-end" && delta.status === "invalid"),
  );
  return {
    tone: "bad",
    title: sentence("The stream is complete, but ", linkIf("the arguments of", frame), " ", code(name), " aren't valid JSON."),
    findings: findingsOf(recording),
    advice: [
      "The model wrote them so. Send the error back as the tool's result so that it tries again, or repair them: parseToolArguments with repair: true.",
    ],
  };
}

/** @param {Recording} recording @param {number} frame @returns {Verdict} */
function lengthVerdict(recording, frame) {
  const tokens = recording.result.usage?.outputTokens;
  return {
    tone: "warning",
    title: sentence(
      linkIf("Cut by the token limit", frame),
      ...(tokens === undefined ? [] : [` after ${countOf(tokens, "output token")}`]),
      ": the provider ended the answer early (",
      code(recording.result.rawFinishReason ?? "length"),
      ").",
    ),
    findings: findingsOf(recording),
    advice: ["Raise the limit of output tokens (max_tokens and the like). Reasoning counts too, with most providers."],
  };
}

/** @param {Recording} recording @param {number} frame @returns {Verdict} */
function filterVerdict(recording, frame) {
  return {
    tone: "warning",
    title: sentence(
      linkIf("Stopped by a content filter", frame),
      " (",
      code(recording.result.rawFinishReason ?? "content_filter"),
      ").",
    ),
    findings: findingsOf(recording),
    advice: ["The provider blocked the prompt or the answer. Its response says which category, if it says so at all."],
  };
}
