// HAR files, as browsers save network traffic.
import { responsesOfHar } from "../../../js/har.js";
import { asArray, asNumber, asObject, asString } from "./values.js";

/** @import { HarResponse } from "../../../js/har.js" */
/** @import { Entry } from "./capture.js" */
/** @import { Exchange, Header } from "./exchange.js" */

/**
 * Returns the exchanges with a model in a HAR file, including failed ones, or undefined if it isn't one.
 *
 * @param {unknown} value
 * @returns {Entry[] | undefined}
 */
export function entriesOfHar(value) {
  return responsesOfHar(value)?.map((response) => {
    const exchange = exchangeOf(response);
    return { name: response.name, note: noteOf(exchange), chunks: response.chunks, exchange };
  });
}

/** @param {Exchange} exchange */
function noteOf({ request, response, failure, duration }) {
  const status = response === undefined || response.status === 0 ? "no response" : response.status;
  const time = duration === undefined ? [] : [`${Math.round(duration).toLocaleString("en")} ms`];
  return [`${request?.method ?? ""} ${status}`.trim(), ...time, ...(failure === undefined ? [] : [failure])].join(" · ");
}

/** @param {HarResponse} response @returns {Exchange} */
function exchangeOf({ status, failure, entry: { request, response, time, timings } }) {
  const { method, url, headers, postData } = asObject(request);
  const { statusText, headers: answered } = asObject(response);
  const body = asString(asObject(postData).text);
  const duration = asNumber(time);
  return {
    request: { method: asString(method) ?? "", url: asString(url) ?? "", headers: headersOf(headers), ...(body && { body }) },
    response: { status, statusText: asString(statusText) ?? "", headers: headersOf(answered) },
    ...(failure && { failure }),
    ...(duration !== undefined && duration >= 0 && { duration }),
    timings: Object.entries(asObject(timings)).flatMap(([name, value]) =>
      typeof value === "number" && value >= 0 ? [/** @type {Header} */ ([name.replace(/^_/, ""), `${value.toFixed(1)} ms`])] : [],
    ),
  };
}

/** @param {unknown} headers @returns {Header[]} */
function headersOf(headers) {
  return asArray(headers)
    .map(asObject)
    .flatMap(({ name, value }) => (typeof name === "string" ? [/** @type {Header} */ ([name, String(value ?? "")])] : []));
}
