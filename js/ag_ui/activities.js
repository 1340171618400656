/** Tools that the provider runs. They aren't calls for the client, so they are shown as activities. */

/** @import { ContentPart } from "../types/api.js" */
/** @import { AgUiEvent } from "../types/ag_ui.js" */
/** @import { News } from "../server_tools.js" */

import { ServerTools } from "../server_tools.js";

export class Activities {
  #tools = new ServerTools();
  /**
   * The message and the known content of each tool, by the tool's id.
   *
   * @type {Map<string, { messageId: string, content: Record<string, unknown> }>}
   */
  #shown = new Map();

  /** @param {Extract<ContentPart, { type: "server-tool" }>} part */
  read(part) {
    return this.#tools.take(part);
  }

  /**
   * @param {News} news
   * @param {() => string} newId
   * @returns {AgUiEvent[]}
   */
  show({ id, name, isNew, call, result, status }, newId) {
    if (!isNew && !call && !result && status === undefined) return [];
    const { messageId, content: known } = this.#shown.get(id) ?? { messageId: newId(), content: { id, name } };
    const news = { ...(call && { call: call.value }), ...(result && { result: result.value }), ...(status && { status }) };
    const content = { ...known, ...news };
    this.#shown.set(id, { messageId, content });
    return [{ type: "ACTIVITY_SNAPSHOT", messageId, activityType: "server-tool", content }];
  }
}
