// Recognises text that contains a response, but not as the server sent it, and advises how to restore it.
import { bytesIfValid } from "../../../js/base64.js";

/**
 * The appearance of a text, and the advice. The first match counts.
 *
 * @type {[isWrapped: (text: string) => boolean, advice: string][]}
 */
const WRAPPINGS = [
  [(text) => /^curl: \(\d+\)/m.test(text), "This is an error of curl: it got no response. Its manual lists the numbers."],
  [
    (text) => /[“”„][^“”„]*[“”„]\s*:/.test(text),
    "The quotes are typographic: an editor or a chat program changed them. Copy the response from where it was recorded.",
  ],
  [
    (text) => /data: ?[\s\S]*\\n/.test(text) && !/\n(data|event): /.test(text),
    "This is a string literal, with \\n for line ends. Capture the text itself, as your program would write it to a file.",
  ],
  [
    (text) => /^.+\bdata: ?[{[]/m.test(text),
    "Something is before data: in each line, as in a log. Remove it, and keep the empty lines between events.",
  ],
  [isBase64, "This is base64. Decode it first: base64 -d capture.txt > capture.sse"],
];

/** Whether a text is base64 of a stream or of JSON, with or without line breaks. @param {string} text */
function isBase64(text) {
  const [start = ""] = /^[\w+/-]{40,}/.exec(text.replace(/\s+/g, "")) ?? [];
  const whole = start.slice(0, 40).replaceAll("-", "+").replaceAll("_", "/");
  return /^(data|event|id|HTTP|[:{[]|\0)/.test(new TextDecoder().decode(bytesIfValid(whole)));
}

/** Returns advice for reading the response in this text, if its wrapping is known. @param {string} text */
export const unwrapAdvice = (text) => WRAPPINGS.find(([isWrapped]) => isWrapped(text))?.[1];
