/** Tools that the provider runs itself. It sends them several times, each time with more. */

/** @import { ContentPart } from "./types/api.js" */

/**
 * What a part adds to what was known of its tool.
 *
 * @typedef {object} News
 * @property {string} id the provider's, or a generated one
 * @property {string} name
 * @property {boolean} isNew whether the tool is reported for the first time
 * @property {{ value: unknown }} [call] if it differs from the one before
 * @property {{ value: unknown }} [result] if it differs from the one before
 */

export class ServerTools {
  /**
   * The JSON that was last reported of each tool, by id.
   *
   * @type {Map<string, { call: string | undefined, result: string | undefined }>}
   */
  #reported = new Map();
  /**
   * The call of each tool that came without an id and a result: its result has no id, either.
   *
   * @type {Map<string, string>}
   */
  #unanswered = new Map();

  /**
   * @param {Extract<ContentPart, { type: "server-tool" }>} part
   * @returns {News}
   */
  take({ id: given, name, call, result, raw }) {
    const isResult = given === undefined && call === undefined && result !== undefined;
    const id = given ?? (isResult ? this.#unanswered.get(name) : undefined) ?? `server-tool-${this.#reported.size}`;
    this.#unanswered.delete(name);
    if (given === undefined && result === undefined) this.#unanswered.set(name, id);
    const isNew = !this.#reported.has(id);
    const last = this.#reported.get(id) ?? { call: undefined, result: undefined };
    this.#reported.set(id, last);
    /** @type {News} */
    const news = { id, name, isNew };
    const callJson = JSON.stringify(call ?? {});
    // A part with nothing but the result of a known call isn't a call of its own.
    if (call !== undefined && last.call !== callJson) news.call = { value: call };
    if (isNew || news.call) last.call = callJson;
    const { status } = /** @type {{ status?: unknown }} */ (raw ?? {});
    const resultJson = status === "in_progress" ? undefined : JSON.stringify(result);
    if (resultJson !== undefined && last.result !== resultJson) {
      news.result = { value: result };
      last.result = resultJson;
    }
    return news;
  }
}
