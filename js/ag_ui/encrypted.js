/**
 * Signatures and encrypted reasoning. Deltas don't contain them, but the response does: its parts are matched by their
 * text with the messages.
 */

/** @import { AnnotatedLlmResponse, ContentPart, ResponseToolCall } from "../types/api.js" */
/** @import { AgUiEvent } from "../types/ag_ui.js" */

/** @typedef {{ id: string, length: number }} Written a message, and the length of the text written to it */

/** The messages and calls that were emitted for an answer. */
export class AnswerLog {
  /** @type {Record<"text" | "reasoning", Written[]>} */
  #written = { text: [], reasoning: [] };
  /**
   * The run's ids of the calls, by the provider's id.
   *
   * @type {Map<string, string[]>}
   */
  #calls = new Map();

  /**
   * The first assistant message of the answer.
   *
   * @type {string | undefined}
   */
  #first;

  /**
   * @param {"text" | "reasoning"} kind
   * @param {string} id
   * @param {number} length
   */
  recordText(kind, id, length) {
    if (kind === "text") this.#first ??= id;
    const last = this.#written[kind].at(-1);
    if (last?.id === id) last.length += length;
    else this.#written[kind].push({ id, length });
  }

  /**
   * @param {string} given
   * @param {string} id
   * @param {string} messageId
   */
  recordCall(given, id, messageId) {
    this.#first ??= messageId;
    const known = this.#calls.get(given);
    if (known) known.push(id);
    else this.#calls.set(given, [id]);
  }

  /**
   * Returns the encrypted values of the answer. A message has at most one. A value without text belongs to the answer's
   * first message, because reasoning precedes the answer; if that message already has a value, an empty reasoning
   * message is added.
   *
   * @param {AnnotatedLlmResponse} response
   * @param {() => { id: string, events: AgUiEvent[] }} emptyReasoning
   * @returns {AgUiEvent[]}
   */
  encryptedValues({ message, toolCalls = [] }, emptyReasoning) {
    const parts = Array.isArray(message) ? message : [];
    const values = [...valuesOf(parts, "reasoning", this.#written.reasoning), ...valuesOf(parts, "text", this.#written.text)];
    const taken = new Set(values.map(({ id }) => id));
    const used = new Set();
    const ofMessages = values.flatMap(({ id, value }) => {
      const first = taken.has(this.#first) ? undefined : this.#first;
      const free = [id, first].find((each) => each !== undefined && !used.has(each));
      const target = free === undefined ? emptyReasoning() : { id: free, events: [] };
      used.add(target.id);
      return [...target.events, valueEvent("message", target.id, value)];
    });
    return [...ofMessages, ...toolCalls.flatMap((call) => this.#ofCall(call))];
  }

  /**
   * @param {ResponseToolCall} call
   * @returns {AgUiEvent[]}
   */
  #ofCall({ id: given, signature }) {
    const id = this.#calls.get(given)?.shift();
    return id === undefined || !signature ? [] : [valueEvent("tool-call", id, signature)];
  }
}

/** @type {(subtype: "message" | "tool-call", entityId: string, encryptedValue: string) => AgUiEvent} */
const valueEvent = (subtype, entityId, encryptedValue) => ({
  type: "REASONING_ENCRYPTED_VALUE",
  subtype,
  entityId,
  encryptedValue,
});

/**
 * Returns the values of the parts of one type, each with the message in which the part's text ended, if it has text.
 *
 * @param {readonly ContentPart[]} parts
 * @param {"text" | "reasoning"} type
 * @param {readonly Written[]} written
 */
function valuesOf(parts, type, written) {
  /** @type {{ id: string | undefined, value: string }[]} */
  const values = [];
  let at = 0;
  let left = written[0]?.length ?? 0;
  for (const part of parts) {
    if (part.type !== type) continue;
    const { text, signature } = /** @type {{ text: string, signature?: string }} */ (part);
    for (left -= text.length; left < 0 && at + 1 < written.length; ) left += written[++at]?.length ?? 0;
    const value = (part.type === "reasoning" && part.encrypted) || signature;
    if (value) values.push({ id: text === "" || left < 0 ? undefined : written[at]?.id, value });
  }
  return values;
}
