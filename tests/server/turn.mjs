// What a script says of one answer of the model.

/**
 * A turn with everything filled in. A script gives of it what matters:
 *
 * - `text`, `reasoning`, `refusal`: a string, or a list of the pieces in which it comes
 * - `toolCalls`: `{ id, name, arguments }`, with arguments as an object, or as text where they are to be broken
 * - `finish`: `"complete"`, `"length"` or `"content_filter"`; tool calls make it `"tool_use"` by themselves
 * - `usage`: `{ prompt, completion }`
 * - `error`: `{ message, type }`, told in the stream after all else
 * - `fault`: what goes wrong on the way: see send.mjs
 * - `status`, `headers`, `body`: an answer of HTTP in place of all that; a body that is no text is sent as JSON, and
 *   without one the error has the form that the interface gives its errors
 */
export function readTurn(turn) {
  const toolCalls = (turn.toolCalls ?? []).map((call, at) => ({ id: `call_${at + 1}`, arguments: {}, ...call }));
  return { finish: toolCalls.length > 0 ? "tool_use" : "complete", ...turn, toolCalls };
}

/** The pieces of a text: words, unless they are given. */
export function piecesOf(text) {
  if (text === undefined) return [];
  return Array.isArray(text) ? text : (text.match(/\s*\S+\s*$|\s*\S+/g) ?? []);
}

export const argumentsOf = (given) => (typeof given === "string" ? given : JSON.stringify(given));

/** A text, or bytes, in two pieces. */
export function cutInTwo(text) {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}
