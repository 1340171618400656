// One answer of the model, as a script defines it.

/**
 * Fills in the defaults of a turn. A script may set:
 *
 * - `text`, `reasoning`, `refusal`: a string, or a list of its pieces
 * - `toolCalls`: `{ id, name, arguments }`, with arguments as an object, or as text if they are to be invalid
 * - `finish`: `"complete"`, `"length"` or `"content_filter"`; with tool calls, the default is `"tool_use"`
 * - `usage`: `{ prompt, completion }`
 * - `error`: `{ message, type }`, sent in the stream after everything else
 * - `fault`: a fault of the transport: see send.mjs
 * - `status`, `headers`, `body`: an HTTP response instead; a body that isn't text is sent as JSON, and without a body, the
 *   error has the form of the interface
 */
export function readTurn(turn) {
  const toolCalls = (turn.toolCalls ?? []).map((call, at) => ({ id: `call_${at + 1}`, arguments: {}, ...call }));
  return { finish: toolCalls.length > 0 ? "tool_use" : "complete", ...turn, toolCalls };
}

/** Returns the pieces of a text: those of a list, or the words of a string. */
export function piecesOf(text) {
  if (text === undefined) return [];
  return Array.isArray(text) ? text : (text.match(/\s*\S+\s*$|\s*\S+/g) ?? []);
}

export const argumentsOf = (given) => (typeof given === "string" ? given : JSON.stringify(given));

/** Splits a text, or bytes, into two pieces. */
export function cutInTwo(text) {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}
