// Parses a cURL command, as copied from browsers and documentation, into a request.

/** @import { Header } from "../capture/exchange.js" */

/**
 * @typedef {object} CurlRequest
 * @property {string} method
 * @property {string} url
 * @property {Header[]} headers
 * @property {string} body
 */

const DATA = new Set(["-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--json"]);
/** Long options whose value is ignored, although it may look like a URL or an option. */
const IGNORED = new Set([
  "--output",
  "--max-time",
  "--connect-timeout",
  "--user-agent",
  "--referer",
  "--cookie",
  "--proxy",
  "--write-out",
  "--cacert",
  "--cert",
  "--user",
]);
/** Matches the short options with a value. All others are switches, and may be grouped before one of these: `-sSXPOST`. */
const SHORT = /^-[^-AbcCdDeEFHKmoPQrtTuUwxXyYz]*([AbcCdDeEFHKmoPQrtTuUwxXyYz])([\s\S]*)$/;
const URL_START = /^https?:\/\//i;

/** @param {string} text @returns {CurlRequest | undefined} undefined if this isn't a cURL command */
export function parseCurl(text) {
  const typed = text.trim().replace(/^\$\s+/, "");
  const [command, ...words] = splitWords(CMD_COMMAND.test(typed) ? withoutCarets(typed) : typed);
  if (command === undefined || !/^curl(\.exe)?$/.test(command)) return undefined;
  /** @type {CurlRequest} */
  const request = { method: "", url: "", headers: [], body: "" };
  const rest = words.values();
  for (const word of rest) {
    // A pipe or a redirection ends the command.
    if (["|", ">", ">>", ";", "&&", "2>&1"].includes(word)) break;
    readWord(request, word, () => rest.next().value ?? "");
  }
  if (!URL_START.test(request.url)) return undefined;
  if (request.method === "") request.method = request.body === "" ? "GET" : "POST";
  return request;
}

/** @param {CurlRequest} request @param {string} word @param {() => string} next the value of an option */
function readWord(request, word, next) {
  const [, long, given] = /^(--[\w-]+)=([\s\S]*)$/.exec(word) ?? [];
  const [, short, attached] = SHORT.exec(word) ?? [];
  const option = long ?? (short === undefined ? word : `-${short}`);
  const value = () => given ?? (attached || next());
  if (option === "-H" || option === "--header") addHeader(request, value());
  else if (option === "-X" || option === "--request") request.method = value();
  else if (DATA.has(option)) addData(request, option, value());
  else if (option === "--url") request.url = value();
  else if (short !== undefined || IGNORED.has(option)) value();
  else if (request.url === "" && URL_START.test(word)) request.url = word;
}

/** @param {CurlRequest} request @param {string} header */
function addHeader(request, header) {
  const colon = header.indexOf(":");
  if (colon > 0) request.headers.push([header.slice(0, colon).trim(), header.slice(colon + 1).trim()]);
}

/** @param {CurlRequest} request @param {string} option @param {string} data */
function addData(request, option, data) {
  request.body = request.body === "" ? data : `${request.body}&${data}`;
  const hasType = request.headers.some(([name]) => name.toLowerCase() === "content-type");
  if (option === "--json" && !hasType) request.headers.push(["content-type", "application/json"]);
}

/** Matches a command for Windows' cmd, as Chrome copies it: its first quote is escaped. */
const CMD_COMMAND = /^curl(?:\.exe)?\s[^'"]*\^"/;

/**
 * Removes the escapes of cmd. An escaped line break continues the line; a second line break after it is part of the
 * text.
 *
 * @param {string} text
 */
const withoutCarets = (text) =>
  text.replace(/\^(?:\r?\n(\r?\n)?|([\s\S]))/g, (_, lineEnd = "", character = "") => lineEnd + character);

/** @type {Record<string, string>} */
const ESCAPES = { n: "\n", t: "\t", r: "\r" };

/** Splits a command as a shell does: quotes, backslashes and continued lines. @param {string} text */
function splitWords(text) {
  /** @type {string[]} */
  const words = [];
  /** @type {string | undefined} */
  let word;
  const part =
    /\\\r?\n|\^\r?\n|\s+|\$'((?:[^'\\]|\\[\s\S])*)'|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\$^]+|[$^])/g;
  for (const [whole, ansi, single, double, escaped, plain] of text.matchAll(part)) {
    if (/^[\\^]\r?\n$/.test(whole)) continue;
    const piece =
      single ??
      double?.replace(/\\(["\\$`\n])/g, "$1") ??
      ansi?.replace(/\\u([0-9a-f]{4})|\\([\s\S])/gi, (_, hex, letter) =>
        hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (ESCAPES[letter] ?? letter),
      ) ??
      escaped ??
      plain;
    if (piece !== undefined) word = (word ?? "") + piece;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}
