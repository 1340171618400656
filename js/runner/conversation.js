/** The messages of a request: those that the caller passed, and those that each turn adds. */

/** @import { AnnotatedLlmResponse, RequestMessage, ToolCall, ToolResult } from "../types/api.js" */
/** @import { RunOptions } from "./run_options.js" */

import { orAbort } from "../abort.js";
import { refuseValue } from "../read_option.js";
import { UniqueIds } from "../unique_ids.js";
import { continuedFields, keepsConversation, unknownToServer } from "./continued.js";
import { formatFor, formatToolMessages } from "./messages/format.js";
import { callIdsIn, withCallIds } from "./messages/ids.js";
import { itemId, outputItems } from "./messages/response.js";

export class Conversation {
  #options;
  /** @type {RequestMessage[]} */
  #messages;
  /** @type {RequestMessage[]} */
  #added = [];
  /** @type {readonly RequestMessage[]} */
  #unsent;
  #continued = {};
  /**
   * Messages that weren't searched for call ids yet.
   *
   * @type {RequestMessage[]}
   */
  #unsearched;
  /** Ids of the calls in the conversation. */
  #ids = new UniqueIds("_");

  /** @param {RunOptions} options */
  constructor(options) {
    this.#options = options;
    this.#messages = options.messages;
    this.#unsent = options.messages;
    this.#unsearched = [...options.messages];
  }

  /** The whole conversation, with which another request can begin. */
  get messages() {
    return this.#messages;
  }

  /** The messages for the next turn: all, unless the server keeps the conversation. */
  get unsent() {
    return this.#unsent;
  }

  /** Fields of the next turn's request that the answers require. */
  get continued() {
    return this.#continued;
  }

  /** All messages that the turns have added, even if the conversation was rebuilt. */
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
    const { api, params } = this.#options;
    const format = formatFor(api, response);
    const ids = this.#newIds(response, calls, keepsConversation(format, params));
    const written = formatToolMessages(format, response, calls, results);
    const added = ids.size === 0 ? written : withCallIds(written, (id) => ids.get(id) ?? id);
    this.#added.push(...added);
    this.#messages = [...this.#messages, ...added];
    this.#unsearched.push(...added);
    this.#unsent = keepsConversation(format, params) ? unknownToServer(added, results.length) : this.#messages;
    this.#continued = { ...this.#continued, ...continuedFields(format, params, response) };
  }

  /**
   * Returns new ids for calls whose id an earlier call has. A server may count its calls from 0 in each answer, as
   * respool does if there are no ids. But results are matched to calls by id, and some interfaces reject duplicates.
   *
   * @param {AnnotatedLlmResponse} response
   * @param {readonly ToolCall[]} calls
   * @param {boolean} isKept whether the server keeps its answer, with the ids that it sent
   */
  #newIds(response, calls, isKept) {
    for (const message of this.#unsearched.splice(0)) for (const id of callIdsIn(message)) this.#ids.add(id);
    const given = new Set([...(response.toolCalls ?? []), ...calls].map(({ id }) => id));
    const own = new Set(isKept ? outputItems(response)?.map(itemId) : []);
    /** @type {Map<string, string>} */
    const ids = new Map();
    for (const id of given) {
      if (this.#ids.has(id) && !own.has(id)) ids.set(id, this.#ids.numbered(id, given));
    }
    return ids;
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
    if (!Array.isArray(messages)) refuseValue("The result of options.rebuildConversation", "the list of messages", messages);
    const before = this.#messages;
    this.#messages = [.../** @type {RequestMessage[]} */ (messages)];
    const known = new Set(before);
    this.#unsearched.push(...this.#messages.filter((message) => !known.has(message)));
    // Appended messages follow those that the server knows.
    const isKept = before.every((message, index) => message === this.#messages[index]);
    this.#unsent = isKept ? [...this.#unsent, ...this.#messages.slice(before.length)] : this.#messages;
  }
}
