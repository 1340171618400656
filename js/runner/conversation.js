/** The messages of a request: what the caller passed, and what each turn adds. */

/** @import { AnnotatedLlmResponse, RequestMessage, ToolCall, ToolResult } from "../types/api.js" */
/** @import { RunOptions } from "./run_options.js" */

import { orAbort } from "../abort.js";
import { refuseValue } from "../options.js";
import { continuedFields, unknownToServer } from "./continued.js";
import { formatFor, formatToolMessages } from "./messages/format.js";

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
   * The messages that weren't searched for ids yet.
   *
   * @type {RequestMessage[]}
   */
  #unsearched;
  /** The ids of the conversation that look like those that are made for calls. */
  #ids = new Set();
  /**
   * The number of each id's last variant.
   *
   * @type {Map<string, number>}
   */
  #counts = new Map();

  /** @param {RunOptions} options */
  constructor(options) {
    this.#options = options;
    this.#messages = options.messages;
    this.#unsent = options.messages;
    this.#unsearched = [...options.messages];
  }

  /** The whole conversation, which another request can begin with. */
  get messages() {
    return this.#messages;
  }

  /** The messages for the next turn: all, unless the server keeps the conversation. */
  get unsent() {
    return this.#unsent;
  }

  /** Fields of the next turn's request that the answers call for. */
  get continued() {
    return this.#continued;
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
    const unique = calls.map((call) => ({ ...call, id: this.#uniqueId(call, response) }));
    const { api, params } = this.#options;
    const format = formatFor(api, response);
    const added = formatToolMessages(format, response, unique, results);
    this.#added.push(...added);
    this.#messages = [...this.#messages, ...added];
    this.#unsearched.push(...added);
    this.#unsent = unknownToServer(format, params, added, results.length) ?? this.#messages;
    this.#continued = { ...this.#continued, ...continuedFields(format, params, response) };
  }

  /**
   * The ids that are made for calls, `call_0` and so on, are the same in all answers that have no id themselves, but some
   * interfaces refuse one that a conversation has twice. An id that is a value in the provider's answer is its own.
   *
   * @param {ToolCall} call
   * @param {AnnotatedLlmResponse} response
   */
  #uniqueId({ id }, { apiSpecific }) {
    if (!/^call_\d+$/.test(id) || madeIds(apiSpecific).includes(id)) return id;
    for (const message of this.#unsearched.splice(0)) for (const known of madeIds(message)) this.#ids.add(known);
    const variant = (/** @type {number} */ number) => (number === 1 ? id : `${id}_${number}`);
    let number = this.#counts.get(id) ?? 1;
    while (this.#ids.has(variant(number))) number++;
    this.#counts.set(id, number);
    return variant(number);
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
    const before = this.#messages;
    this.#messages = [.../** @type {RequestMessage[]} */ (messages)];
    const known = new Set(before);
    this.#unsearched.push(...this.#messages.filter((message) => !known.has(message)));
    // What is only added comes after what the server knows.
    const isKept = before.every((message, index) => message === this.#messages[index]);
    this.#unsent = isKept ? [...this.#unsent, ...this.#messages.slice(before.length)] : this.#messages;
  }
}

/**
 * The ids in a value that look like those that are made for calls. The names of members aren't ids: extra fields of calls
 * are by id. Messages of the caller may be no JSON.
 *
 * @param {unknown} value
 */
function madeIds(value) {
  try {
    return Array.from(`${JSON.stringify(value)}`.matchAll(/"(call_\d+(?:_\d+)?)"(?!:)/g), ([, id]) => id);
  } catch {
    return [];
  }
}
