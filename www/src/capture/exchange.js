// The HTTP exchange around a response: request, status, headers, and why it failed.

/** @typedef {[name: string, value: string]} Header */

/**
 * @typedef {object} ExchangeRequest
 * @property {string} method
 * @property {string} url
 * @property {Header[]} headers
 * @property {string} [body]
 */

/**
 * @typedef {object} ExchangeResponse
 * @property {number} status 0 if no response arrived
 * @property {string} statusText
 * @property {Header[]} headers
 */

/**
 * @typedef {object} Exchange
 * @property {ExchangeRequest} [request]
 * @property {ExchangeResponse} [response]
 * @property {string} [failure] why there is no complete response, in the words of the browser
 * @property {number} [duration] in milliseconds
 * @property {Header[]} [timings] the phases of the exchange
 */

const SECRET = /^(proxy-)?authorization$|cookie|secret|token|(^|[-_])(api[-_]?)?key$|signature|credential/i;

/** @param {Header[]} headers @param {string} name */
export function headerOf(headers, name) {
  return headers.find(([known]) => known.toLowerCase() === name)?.[1];
}

/** A header's value to show: values that grant access are hidden. @param {Header} header */
export function shownValue([name, value]) {
  return SECRET.test(name) ? `hidden (${value.length} characters)` : value;
}

/** A URL to show, with the values of secret parameters hidden. @param {string} url */
export function shownUrl(url) {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  for (const [name] of [...parsed.searchParams]) if (SECRET.test(name)) parsed.searchParams.set(name, "hidden");
  if (parsed.password !== "") parsed.password = "hidden";
  return parsed.href;
}

/** @param {ExchangeResponse | undefined} response */
export const isFailureStatus = (response) => response !== undefined && response.status >= 400;

const decoder = new TextDecoder();

/**
 * Splits off the status line and the headers that `curl -i` prints before a body. Interim responses and those of a
 * proxy come before the last one.
 *
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {{ response: ExchangeResponse | undefined, body: Uint8Array<ArrayBuffer> }}
 */
export function splitHead(bytes) {
  /** @type {ExchangeResponse | undefined} */
  let response;
  let body = bytes;
  for (;;) {
    const head = headOf(body);
    if (head === undefined) return { response, body };
    response = head.response;
    body = body.subarray(head.length);
  }
}

/** @param {Uint8Array} bytes @returns {{ response: ExchangeResponse, length: number } | undefined} */
function headOf(bytes) {
  const text = decoder.decode(bytes.subarray(0, 65_536));
  const match = /^HTTP\/\d(?:\.\d)? (\d{3})(?: ([^\r\n]*))?\r?\n([\s\S]*?)(?:\r?\n\r?\n|\r?\n$|$)/.exec(`${text}`);
  if (match === null) return undefined;
  const [head, status, statusText = "", lines] = match;
  const headers = lines.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(":");
    return colon > 0 ? [/** @type {Header} */ ([line.slice(0, colon).trim(), line.slice(colon + 1).trim()])] : [];
  });
  return {
    response: { status: Number(status), statusText: statusText.trim(), headers },
    length: new TextEncoder().encode(head).length,
  };
}
