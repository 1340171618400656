// The verdict on a response: how it ended, where it broke, and what to do.
import { isFailureStatus } from "../capture/exchange.js";
import { completeVerdict } from "./complete.js";
import { natureVerdict } from "./nature.js";
import { clip, code, countOf, formatTime, link, sentence } from "./piece.js";
import { noResponseVerdict, statusVerdict } from "./status.js";
import { truncatedVerdict } from "./truncated.js";
import { durationOf, findingsOf } from "./findings.js";

/** @import { Recording } from "../session/recording.js" */
/** @import { Sentence } from "./piece.js" */

/**
 * @typedef {object} Verdict
 * @property {"good" | "warning" | "bad" | "open"} tone
 * @property {Sentence} title
 * @property {Sentence[]} findings further facts
 * @property {string[]} advice advice for the user
 */

/** @param {Recording} recording @returns {Verdict} */
export function verdictOf(recording) {
  const verdict = coreOf(recording);
  if (!recording.wasUtf16) return verdict;
  return {
    ...verdict,
    findings: [...verdict.findings, sentence("The file is UTF-16; it was converted to UTF-8 to be read.")],
    advice: [...verdict.advice, "PowerShell writes UTF-16 with > and tee. Use curl.exe -N … -o capture.sse instead."],
  };
}

/** Returns the piece about the break, if there is one: the last linked piece of the title. @param {Verdict} verdict */
export const leadOf = ({ tone, title }) => (tone === "bad" ? title.findLast(({ frame }) => frame !== undefined) : undefined);

/** @param {Recording} recording @returns {Verdict} */
function coreOf(recording) {
  const { exchange, frames } = recording;
  if (!recording.isFinished) return openVerdict(recording);
  const response = exchange?.response;
  if (response && isFailureStatus(response)) return statusVerdict(recording, response);
  if (exchange && frames.length === 0 && (exchange.failure || response?.status === 0)) return noResponseVerdict(exchange);
  const { result } = recording;
  const isBroken = recording.brokenBy !== undefined && result.ending === "truncated";
  if (result.ending === "aborted" || isBroken) return abortedVerdict(recording);
  // Other binary data can look like a corrupt event stream.
  const isForeign = result.error?.code === "stream-broken" && recording.framing !== "messages";
  if (result.error && result.error.code !== "unknown-response" && !isForeign) return failedVerdict(recording);
  if (!recording.api) return natureVerdict(recording);
  return result.ending === "truncated" && !recording.isBody ? truncatedVerdict(recording) : completeVerdict(recording);
}

/** @param {Recording} recording @returns {Verdict} */
const openVerdict = ({ frames }) => ({
  tone: "open",
  title: sentence(frames.length === 0 ? "Waiting for the first bytes…" : "Still arriving…"),
  findings: [],
  advice: [],
});

/** @param {Recording} recording @returns {Verdict} */
function abortedVerdict(recording) {
  const { result, frames } = recording;
  const reason = recording.brokenBy ?? result.error?.message ?? "";
  const wasStopped = reason === "stopped";
  return {
    tone: wasStopped ? "warning" : "bad",
    title: sentence(
      wasStopped ? "Stopped by you" : "The connection broke",
      ...afterTime(recording),
      ...(frames.length === 0 ? [", before the first byte"] : []),
      ...(wasStopped || reason === "" ? [] : [": ", code(clip(reason, 160))]),
      ".",
    ),
    findings: findingsOf(recording),
    advice: wasStopped
      ? []
      : [
          "Send the same request by curl -N: if that one ends well, the page, or a proxy or extension of this browser, is in the way.",
        ],
  };
}

/** @param {Recording} recording */
function afterTime(recording) {
  const duration = durationOf(recording);
  return duration === undefined ? [] : [" ", link(`after ${formatTime(duration)}`, recording.frames.length - 1)];
}

/** @param {Recording} recording @returns {Verdict} */
function failedVerdict(recording) {
  const { result, deltas } = recording;
  const error = /** @type {NonNullable<typeof result.error>} */ (result.error);
  const found = deltas.findIndex((list) => list.some(({ type }) => type === "error"));
  const frame = found < 0 ? Math.max(recording.frames.length - 1, 0) : found;
  const word = error.providerType ?? error.providerCode;
  const isProviders = error.code === "provider-error";
  const where = recording.frames.length > 1 ? ` in event ${frame + 1}` : "";
  return {
    tone: "bad",
    title: sentence(
      link(isProviders ? `The provider reported an error${where}` : `Failed${where}`, frame),
      ...(recording.frames.length > 1 ? afterTime(recording) : []),
      ": ",
      ...(word ? [code(word), " "] : []),
      clip(error.message, 300),
      /[.!?]$/.test(error.message) ? "" : ".",
    ),
    findings: [...arrived(recording), ...findingsOf(recording)],
    advice: [adviceForFailure(error.code, `${error.providerType} ${error.providerCode} ${error.message}`)],
  };
}

/** @param {Recording} recording */
function arrived({ result: { text, toolCalls } }) {
  const parts = [
    ...(text.length > 0 ? [`${countOf(text.length, "character")} of text`] : []),
    ...(toolCalls.length > 0 ? [countOf(toolCalls.length, "tool call")] : []),
  ];
  return parts.length === 0 ? [] : [sentence(`Before it arrived ${parts.join(" and ")}.`)];
}

/** @param {string} failure @param {string} words of the provider */
function adviceForFailure(failure, words) {
  if (failure === "stream-broken")
    return "Bytes were changed or lost on the way: capture the raw bytes, as with curl -o, and not text.";
  if (failure === "limit-exceeded") return "The response exceeds a limit of the page. In your code, the option limits raises it.";
  if (/rate.?limit|quota|429|throttl|insufficient/i.test(words))
    return "Wait, then retry with growing delays, or raise the limit of the account.";
  if (/overload|unavailable|503|529|capacity/i.test(words))
    return "The provider is overloaded. Retry with growing delays, or use another model.";
  if (/context|too long|max.*tokens|length/i.test(words))
    return "The request doesn't fit into the model's context: shorten the conversation, or lower the token limit.";
  if (/api.?key|auth|401|403|permission/i.test(words))
    return "Check the API key: complete, for this provider, allowed to use this model.";
  if (/invalid|400|422/i.test(words)) return "The provider names what it rejects: compare it with the request.";
  return "What arrived before is intact. Retry the request; if the error persists, report it to the provider with the id of the response.";
}
