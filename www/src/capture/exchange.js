// The HTTP exchange around a response: request, status, headers, and the reason of a failure.

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
 * @property {string} [failure] why there is no complete response, as the browser or the batch reports it
 * @property {boolean} [isBatchLine] whether this is a line of a batch result file, which has no request of its own
 * @property {number} [duration] in milliseconds
 * @property {Header[]} [timings] the phases of the exchange
 */

const SECRET = /authorization$|(^|[-_])auth$|cookie|secret|token|(^|[-_])(api[-_]?)?key$|signature|credential/i;

/** @param {Header[]} headers @param {string} name */
export function headerOf(headers, name) {
  return headers.find(([known]) => known.toLowerCase() === name)?.[1];
}

/** Returns a header's value to show. Values that grant access are hidden. @param {Header} header */
export function shownValue([name, value]) {
  return SECRET.test(name) ? `hidden (${value.length} characters)` : value;
}

/** Returns a URL to show, with the values of secret parameters hidden. @param {string} url */
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
/** Decodes one character per byte, so that the length of a head is exact for any bytes. */
const byteDecoder = new TextDecoder("latin1");

/**
 * Splits off the status line and the headers that `curl -i` prints before a body. If interim responses or those of a
 * proxy precede, the last head counts.
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

/** Matches the status line and headers up to the empty line, after an optional byte order mark. */
const HEAD = /^(?:ï»¿)?HTTP\/\d(?:\.\d)? \d{3}(?: [^\r\n]*)?\r?\n(?:[^\r\n]+(?:\r?\n|$))*(?:\r?\n|$)/;

/** @param {Uint8Array} bytes @returns {{ response: ExchangeResponse, length: number } | undefined} */
function headOf(bytes) {
  const length = HEAD.exec(byteDecoder.decode(bytes.subarray(0, 65_536)))?.[0].length;
  if (length === undefined) return undefined;
  const [first = "", ...lines] = decoder.decode(bytes.subarray(0, length)).split(/\r?\n/);
  const [, status, ...words] = first.split(" ");
  const headers = lines.flatMap((line) => {
    const colon = line.indexOf(":");
    return colon > 0 ? [/** @type {Header} */ ([line.slice(0, colon).trim(), line.slice(colon + 1).trim()])] : [];
  });
  return { response: { status: Number(status), statusText: words.join(" ").trim(), headers }, length };
}
