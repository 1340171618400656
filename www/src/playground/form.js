// The form of the playground, and the request that it sends.
import { INTERFACES, questionRequest } from "./interfaces.js";
import { problemWithTools } from "./tools.js";

/** @import { CurlRequest } from "./curl.js" */
/** @import { PlaygroundApi } from "./interfaces.js" */

/**
 * The state of the form. With `curl`, the request may have any form.
 *
 * @typedef {object} PlaygroundForm
 * @property {PlaygroundApi | "curl"} api
 * @property {string} base
 * @property {string} key one or several, separated by white space
 * @property {string} model
 * @property {string} system
 * @property {string} prompt
 * @property {string} tools
 * @property {string} maxTokens
 * @property {string} url URL of a `curl` request
 * @property {string} method
 * @property {string} headers one per line; `{key}` is replaced by the key, and `{key 2}` by the second one
 * @property {string} body
 */

/**
 * @typedef {object} PlaygroundRequest
 * @property {string} url
 * @property {string} method
 * @property {Record<string, string>} headers
 * @property {string} [body]
 */

/** @type {PlaygroundForm} */
export const EMPTY_FORM = {
  api: "openai-chat",
  base: INTERFACES["openai-chat"].base,
  key: "",
  model: "",
  system: "",
  prompt: "",
  tools: "",
  maxTokens: "",
  url: "",
  method: "POST",
  headers: "",
  body: "",
};

/**
 * Returns the placeholder for a key in the headers: `{key}`, and `{key 2}` for a second one, which gateways need.
 *
 * @param {number} index
 */
const placeholder = (index) => (index === 0 ? "{key}" : `{key ${index + 1}}`);
const PLACEHOLDER = /\{key(?: (\d+))?\}/g;
const KEY_HEADER = /authorization$|(^|[-_])(auth|token)$|(^|[-_])(api[-_]?)?key$/i;
/** Headers that browsers set themselves. */
const FORBIDDEN = /^(accept-encoding|connection|content-length|cookie|dnt|host|origin|priority|referer|sec-.*|te|user-agent)$/i;

/** @param {CurlRequest} request @param {PlaygroundForm} form @returns {PlaygroundForm} */
export function formOfCurl({ url, method, headers, body }, form) {
  /** @type {string[]} */
  const keys = [];
  const lines = headers
    .filter(([name]) => !FORBIDDEN.test(name))
    .map(([name, value]) => {
      if (!KEY_HEADER.test(name)) return `${name}: ${value}`;
      const [, scheme = "", secret] = /^(Bearer |Basic )?(.*)$/i.exec(value) ?? [];
      if (!keys.includes(secret)) keys.push(secret);
      return `${name}: ${scheme}${placeholder(keys.indexOf(secret))}`;
    });
  // A shell variable isn't a key.
  const key = keys.every((secret) => secret.startsWith("$")) ? "" : keys.join(" ");
  return { ...form, api: "curl", url, method, headers: lines.join("\n"), body, key };
}

/** Returns the first problem with the form, or undefined if it is valid. @param {PlaygroundForm} form */
export function problemWith({ api, base, model, prompt, tools, url }) {
  if (api === "curl") return /^https?:\/\/[^/]/i.test(url.trim()) ? undefined : "The URL must start with http:// or https://.";
  if (!/^https?:\/\/[^/]/i.test(base.trim())) return "The base URL must start with http:// or https://.";
  if (model.trim() === "") return "Enter a model.";
  if (prompt.trim() === "") return "Enter a prompt.";
  return problemWithTools(tools);
}

/** Returns the first messages of a conversation. @param {PlaygroundForm} form */
export const firstMessages = ({ api, prompt }) => (api === "curl" ? [] : [INTERFACES[api].user(prompt)]);

/** @param {PlaygroundForm} form @param {object[]} messages the conversation @returns {PlaygroundRequest} */
export function requestOf(form, messages) {
  if (form.api !== "curl") return questionRequest({ ...form, api: form.api }, messages);
  const { url, method, headers, body } = form;
  // A single key may contain spaces, as in the credentials of a signature.
  const key = form.key.trim();
  const keys = headers.includes(placeholder(1)) ? key.split(/\s+/) : [key];
  const lines = headers.split("\n").flatMap((line) => {
    const colon = line.indexOf(":");
    return colon > 0
      ? [
          [
            line.slice(0, colon).trim(),
            line
              .slice(colon + 1)
              .trim()
              .replace(PLACEHOLDER, (_, number = "1") => keys[Number(number) - 1] ?? ""),
          ],
        ]
      : [];
  });
  return { url: url.trim(), method, headers: Object.fromEntries(lines), ...(body === "" ? {} : { body }) };
}
