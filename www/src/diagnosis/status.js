// The verdict on a response that isn't a success, and on a request without a response.
import { headerOf } from "../capture/exchange.js";
import { clip, code, link, sentence } from "./piece.js";
import { bodyWords } from "./nature.js";

/** @import { Exchange, ExchangeResponse } from "../capture/exchange.js" */
/** @import { Recording } from "../session/recording.js" */
/** @import { Verdict } from "./verdict.js" */

/** @type {Record<number, string>} */
const NAMES = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Content Too Large",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  524: "A Timeout Occurred",
  529: "Overloaded",
};

/** @type {Record<number, string>} */
const ADVICE = {
  400: "The server rejected the request: compare its body with the message of the server.",
  401: "The API key is missing, incomplete, revoked, or for another provider. Check the header that carries it.",
  402: "The account has no credit left.",
  403: "The key may lack permission for this model, or your region, origin or network isn't allowed.",
  404: "Check the base URL, including /v1 if the server expects it, and the name of the model.",
  405: "The URL exists, but not for this method: requests to models are POST requests to the full path.",
  408: "The request took too long to arrive. Check what uploads it, and its size.",
  413: "The request is too large: shorten the conversation, or send images by URL.",
  422: "A field of the request has an invalid value; the response names it.",
  429: "Too many requests or tokens per minute, or no credit left. Wait, then retry with growing delays.",
  504: "A proxy waited too long for the model. Stream the response, so that bytes arrive early, or raise the proxy's timeout.",
  524: "The proxy gave up after its limit, often 100 s, without a byte from the server. Stream the response.",
  529: "The provider is overloaded. Retry with growing delays, or use another model.",
};

/** Returns advice about a status. @param {number} status */
export function adviceFor(status) {
  if (ADVICE[status]) return ADVICE[status];
  return status >= 500
    ? "The server or a proxy before it failed. Retry with growing delays; if it persists, send the same request by curl -i."
    : "The response says what the server expects.";
}

/** @param {ExchangeResponse} response */
const nameOf = ({ status, statusText }) => `HTTP ${status} ${statusText || NAMES[status] || ""}`.trim();

/** @param {Recording} recording @param {ExchangeResponse} response @returns {Verdict} */
export function statusVerdict(recording, response) {
  const words = recording.result.error?.code === "provider-error" ? recording.result.error.message : bodyWords(recording);
  const retry = headerOf(response.headers, "retry-after");
  return {
    tone: "bad",
    title: sentence(
      nameOf(response),
      ...(words ? [": ", recording.frames.length > 0 ? link(clip(words, 200), 0) : clip(words, 200)] : []),
      words?.endsWith(".") ? "" : ".",
    ),
    findings: retry === undefined ? [] : [sentence("The server asks to wait: ", code(`retry-after: ${retry}`), ".")],
    advice: [adviceFor(response.status)],
  };
}

/** @param {Exchange} exchange @returns {Verdict} */
export function noResponseVerdict({ request, failure = "", isBatchLine = false }) {
  const url = request?.url;
  const findings = url && URL.canParse(url) ? [sentence("The request went to ", code(new URL(url).host), ".")] : [];
  return {
    tone: "bad",
    title: sentence("No response", ...(failure ? [": ", code(failure)] : []), "."),
    findings: isBatchLine ? [sentence("This line of a batch result file has an error instead of a response.")] : findings,
    advice: [isBatchLine ? adviceForBatch(failure) : adviceForFailure(failure)],
  };
}

/** @param {string} failure as the provider names it */
function adviceForBatch(failure) {
  return /expired|cancel/i.test(failure)
    ? "The batch ended before this request was processed: send the request again in another batch."
    : "Compare the request with what the error names, and send it again in another batch.";
}

/** @param {string} failure as browsers name it */
function adviceForFailure(failure) {
  if (/NAME_NOT_RESOLVED|DNS/i.test(failure))
    return "The host name doesn't exist or can't be resolved: check the base URL and your DNS.";
  if (/REFUSED/i.test(failure)) return "Nothing listens at this address and port: is the server running?";
  if (/TIMED_OUT|TIMEOUT/i.test(failure)) return "The server didn't answer in time: check the network, and proxies on the way.";
  if (/CERT|SSL|TLS/i.test(failure)) return "The TLS certificate was rejected: check the host name, the date and the chain.";
  if (/ABORTED/i.test(failure))
    return "The page aborted the request: look for an AbortController, a timeout or a navigation in your code.";
  if (/BLOCKED|CORS/i.test(failure)) return "The browser blocked the request: check CORS headers, extensions and mixed content.";
  return "The browser blocked the request or lost the connection: check CORS, the network, and whether the page aborted it. Send the same request by curl -i to compare.";
}
