/** Tools that the provider runs itself. It sends the same tool several times, each time with more. */

/** @import { ContentPart } from "./types/api.js" */

/**
 * The news about a tool that a part contains.
 *
 * @typedef {object} News
 * @property {string} id the provider's, or a generated one
 * @property {string} name
 * @property {boolean} isNew whether the tool is reported for the first time
 * @property {{ value: unknown }} [call] the call, if it differs from the last one
 * @property {{ value: unknown }} [result] the result, if it differs from the last one
 * @property {string} [status] the provider's status, if it differs from the last one
 * @property {object} [outcome] the known fields of a finished tool without a result
 */

/** @typedef {{ type?: unknown, status?: unknown, call_id?: unknown }} Item the provider's item of a part */

/** The final statuses of OpenAI's items. */
const FINAL = new Set(["completed", "failed", "incomplete", "cancelled"]);

/**
 * Names of the calls whose output is a separate item without a reference to the call. Other such items have a
 * `call_id`.
 *
 * @type {Map<unknown, string>}
 */
const OUTPUTS = new Map([["tool_search_output", "tool_search"]]);
const ANSWERED = new Set(OUTPUTS.values());

/**
 * Returns the fields of a finished item, if no other item contains its result.
 *
 * @param {Item} item
 * @param {string} name
 */
function outcomeOf({ type, status, ...item }, name) {
  const isOwn = typeof type === "string" && type.endsWith("_call") && !item.call_id && !ANSWERED.has(name);
  if (!isOwn || !FINAL.has(String(status))) return undefined;
  const { id: _, call_id: _none, ...rest } = /** @type {Item & { id?: unknown }} */ (item);
  return status === "completed" ? rest : { status, ...rest };
}

export class ServerTools {
  /**
   * The JSON that was last reported for each tool, by id.
   *
   * @type {Map<string, { call?: string | undefined, result?: string | undefined, status?: string }>}
   */
  #reported = new Map();
  /**
   * The id of each call without an id and a result, by name: its result has no id, either.
   *
   * @type {Map<string, string>}
   */
  #unanswered = new Map();

  /**
   * The calls whose output has another id. Outputs come in the order of their calls.
   *
   * @type {{ id: string, name: string }[]}
   */
  #pending = [];
  /**
   * The call's id for each output with an id of its own.
   *
   * @type {Map<string, string>}
   */
  #calls = new Map();

  /**
   * Returns the id and the name of the call that a part belongs to.
   *
   * @param {Extract<ContentPart, { type: "server-tool" }>} part
   * @param {Item} item
   */
  #ofCall({ id: given, name }, { type, call_id }) {
    const called = OUTPUTS.get(type);
    if (given === undefined || call_id) return { given, name };
    if (called === undefined) {
      if (ANSWERED.has(name) && !this.#reported.has(given)) this.#pending.push({ id: given, name });
      return { given, name };
    }
    const id = this.#calls.get(given) ?? this.#pending.find((call) => call.name === called)?.id;
    if (id === undefined) return { given, name };
    this.#pending = this.#pending.filter((call) => call.id !== id);
    this.#calls.set(given, id);
    return { given: id, name: called };
  }

  /**
   * @param {Extract<ContentPart, { type: "server-tool" }>} part
   * @returns {News}
   */
  take(part) {
    const { call, result } = part;
    const item = /** @type {Item} */ (part.raw ?? {});
    const { given, name } = this.#ofCall(part, item);
    const isResult = given === undefined && call === undefined && result !== undefined;
    const id = given ?? (isResult ? this.#unanswered.get(name) : undefined) ?? `server-tool-${this.#reported.size}`;
    this.#unanswered.delete(name);
    if (given === undefined && result === undefined) this.#unanswered.set(name, id);
    const isNew = !this.#reported.has(id);
    const last = this.#reported.get(id) ?? {};
    this.#reported.set(id, last);
    /** @type {News} */
    const news = { id, name, isNew };
    const callJson = JSON.stringify(call ?? {});
    // A part with only the result of a known call isn't a call of its own.
    if (call !== undefined && last.call !== callJson) news.call = { value: call };
    if (isNew || news.call) last.call = callJson;
    const outcome = result === undefined ? outcomeOf(item, name) : undefined;
    const resultJson = item.status === "in_progress" ? undefined : JSON.stringify(result ?? outcome);
    if (resultJson !== undefined && last.result !== resultJson) {
      if (outcome) news.outcome = outcome;
      else news.result = { value: result };
      last.result = resultJson;
    }
    if (typeof item.status === "string" && last.status !== item.status) {
      news.status = item.status;
      last.status = item.status;
    }
    return news;
  }
}
