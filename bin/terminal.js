// Keeps text from a model from controlling the terminal.

/**
 * The characters that a terminal interprets instead of showing them: C0 and C1 control characters, and bidirectional
 * ones, which can make text look like other text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters
const CONTROLS = /\r\n|[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Replaces each control character by a visible one.
 *
 * @param {string} text
 */
export function harmless(text) {
  return text.replace(CONTROLS, (control) => {
    if (control === "\r\n") return "\n";
    const code = control.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code); // ␀ … ␟
    return code === 0x7f ? "␡" : escapeOf(control);
  });
}

/**
 * Escapes the control characters that JSON may contain literally.
 *
 * @param {string} json
 */
export const harmlessJson = (json) => json.replace(CONTROLS, escapeOf);

/** @param {string} control */
const escapeOf = (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * Returns text as it is written to a stream: unchanged, except on a terminal.
 *
 * @param {NodeJS.WriteStream} stream
 * @param {string} text
 */
export const shownOn = (stream, text) => (stream.isTTY ? harmless(text) : text);
