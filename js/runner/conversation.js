/** The messages of a request: what the caller passed, and what each turn adds. */

/** @import { AnnotatedLlmResponse, RequestMessage, ToolCall, ToolResult } from "../types/api.js" */
/** @import { RunOptions } from "./run_options.js" */

import { orAbort } from "../abort.js";
import { refuseValue } from "../options.js";
import { formatFor, formatToolMessages } from "./messages/format.js";

export class Conversation {
  #options;
  /** @type {RequestMessage[]} */
  #messages;
  /** @type {RequestMessage[]} */
  #added = [];

  /** @param {RunOptions} options */
  constructor(options) {
    this.#options = options;
    this.#messages = options.messages;
  }

  /** What the next request begins with. */
  get messages() {
    return this.#messages;
  }

  /** What the turns have added, however the conversation was rebuilt. */
  get added() {
    return this.#added;
  }

  /**
   * Appends an answer with the calls that were run, and their results.
   *
   * @param {AnnotatedLlmResponse} response
   * @param {readonly ToolCall[]} calls
   * @param {readonly ToolResult[]} results
   */
  append(response, calls, results) {
    const added = formatToolMessages(formatFor(this.#options.api, response), response, calls, results);
    this.#added.push(...added);
    this.#messages = [...this.#messages, ...added];
  }

  /**
   * Lets the caller replace the conversation.
   *
   * @param {AbortSignal} signal
   */
  async rebuild(signal) {
    const { rebuildConversation } = this.#options;
    if (!rebuildConversation) return;
    const messages = await orAbort(rebuildConversation([...this.#messages]), signal);
    if (!Array.isArray(messages)) refuseValue("the result of options.rebuildConversation", "the list of messages", messages);
    this.#messages = [.../** @type {RequestMessage[]} */ (messages)];
  }
}
