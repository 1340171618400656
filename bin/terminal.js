// What a model wrote must not command the terminal.

/**
 * What a terminal acts on instead of showing it: control characters, also the C1 ones, and those that turn the
 * direction of text, with which it can be made to look like other text.
 */
const COMMANDS = /\r\n|[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text with a visible character in place of each that commands. */
export function harmless(text) {
  return text.replace(COMMANDS, (command) => {
    if (command === "\r\n") return "\n";
    const code = command.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code); // ␀ … ␟
    return code === 0x7f ? "␡" : escape(command);
  });
}

/** JSON, with an escape in place of what commands and JSON itself lets stand. */
export const harmlessJson = (json) => json.replace(COMMANDS, escape);

const escape = (command) => `\\u${command.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The text as it may be written to a stream: as it is, except to a terminal. */
export const shownOn = (stream, text) => (stream.isTTY ? harmless(text) : text);
