/** Converts tool calls and their results to AG-UI events. */

/** @import { Delta, RequestToolResult, ToolCallStatus } from "../types/api.js" */
/** @import { AgUiEvent } from "../types/ag_ui.js" */

import { UniqueIds } from "../unique_ids.js";
import { toolContent } from "./tool_content.js";

/** @typedef {Extract<Delta, { type: "tool-call-start" }>} Start */
/** @typedef {Extract<Delta, { type: "tool-call-delta" }>} Fragment */
/** @typedef {Extract<Delta, { type: "tool-call-end" }>} End */

/**
 * A call that may receive fragments.
 *
 * @typedef {object} Call
 * @property {string} id in the run
 * @property {string} given the provider's id
 * @property {string} name
 * @property {string} text the arguments emitted so far
 * @property {boolean} isOpen
 */

/** Why the arguments of a call can't be used. */
const REASONS = { invalid: "The arguments aren't valid JSON.", truncated: "The arguments are incomplete." };

export class ToolCalls {
  /**
   * The latest call, by index.
   *
   * @type {Map<number, Call>}
   */
  #calls = new Map();
  /** The ids in the run. A client would take a second call with the same id for a repetition of the first. */
  #ids = new UniqueIds("-");
  /**
   * The status of the arguments of calls without a result, by id.
   *
   * @type {Map<string, ToolCallStatus>}
   */
  #unanswered = new Map();
  /**
   * The ids of this step's calls without a result, by the provider's id and the name.
   *
   * @type {Map<string, string[]>}
   */
  #waiting = new Map();

  /**
   * @param {Pick<Start, "index" | "id" | "name">} delta
   * @param {string} parentMessageId
   * @returns {{ id: string, events: AgUiEvent[] }}
   */
  start({ index, id: given, name }, parentMessageId) {
    const id = this.#ids.take(given);
    const events = this.#close(index);
    this.#calls.set(index, { id, given, name, text: "", isOpen: true });
    this.#unanswered.set(id, "truncated");
    const waiting = this.#waiting.get(keyOf(given, name));
    if (waiting) waiting.push(id);
    else this.#waiting.set(keyOf(given, name), [id]);
    return { id, events: [...events, { type: "TOOL_CALL_START", toolCallId: id, toolCallName: name, parentMessageId }] };
  }

  /**
   * Whether this call has started.
   *
   * @param {number} index
   * @param {string} given
   */
  has(index, given) {
    return this.#calls.get(index)?.given === given;
  }

  /**
   * Appends a fragment. After the end of the call, this opens the call again, because the arguments are the same.
   *
   * @param {number} index
   * @param {string} delta
   * @returns {AgUiEvent[]}
   */
  append(index, delta) {
    const call = this.#calls.get(index);
    if (call === undefined || delta === "") return [];
    call.text += delta;
    /** @type {AgUiEvent[]} */
    const events = call.isOpen ? [] : [{ type: "TOOL_CALL_START", toolCallId: call.id, toolCallName: call.name }];
    call.isOpen = true;
    return [...events, { type: "TOOL_CALL_ARGS", toolCallId: call.id, delta }];
  }

  /**
   * @param {End} delta
   * @returns {AgUiEvent[]}
   */
  end({ index, toolCall, status }) {
    const call = this.#calls.get(index);
    if (call === undefined) return [];
    // Arguments without fragments are only in the complete call.
    const { arguments: text } = toolCall;
    const events = text.startsWith(call.text) ? this.append(index, text.slice(call.text.length)) : [];
    return [...events, ...this.#close(index, status)];
  }

  /**
   * @param {number} index
   * @param {ToolCallStatus} [status]
   * @returns {AgUiEvent[]}
   */
  #close(index, status = "truncated") {
    const call = this.#calls.get(index);
    if (!call?.isOpen) return [];
    call.isOpen = false;
    if (this.#unanswered.has(call.id)) this.#unanswered.set(call.id, status);
    return [{ type: "TOOL_CALL_END", toolCallId: call.id, ...(status !== "complete" && { metadata: { status } }) }];
  }

  /**
   * Ends the answer, and all calls that are still open.
   *
   * @returns {AgUiEvent[]}
   */
  endAnswer() {
    return [...this.#calls.keys()].flatMap((index) => this.#close(index));
  }

  /** Forgets the calls of the last step: calls of the next one may have the same ids as earlier ones without a result. */
  startStep() {
    this.#calls.clear();
    this.#waiting.clear();
  }

  /**
   * Returns the events for the result of a tool that `runRequest` has run. An error's message may be meant for the
   * model alone.
   *
   * @param {RequestToolResult} outcome
   * @param {{ messageId: string, parentId: () => string, onError: (error: unknown) => string }} context
   * @returns {AgUiEvent[]}
   */
  result({ id, name, error, result }, { messageId, parentId, onError }) {
    const key = keyOf(id, name);
    const added = this.#waiting.get(key)?.length ? [] : this.#addCall(id, name, parentId());
    const toolCallId = this.#waiting.get(key)?.shift() ?? id;
    this.#unanswered.delete(toolCallId);
    const { content, isError } =
      error === undefined ? toolContent(result) : { content: onError(new Error(error)), isError: true };
    return [...added, resultEvent(messageId, toolCallId, content, isError)];
  }

  /**
   * Returns the event for the result of a call that the provider has run itself, although it looked like a call for the
   * client.
   *
   * @param {string} given
   * @param {unknown} result
   * @param {() => string} nextId
   * @returns {AgUiEvent[]}
   */
  answer(given, result, nextId) {
    const call = [...this.#calls.values()].find((known) => known.given === given);
    if (call === undefined || !this.#unanswered.delete(call.id)) return [];
    const { content, isError } = toolContent(result);
    return [resultEvent(nextId(), call.id, content, isError)];
  }

  /**
   * Adds a call that no delta has reported.
   *
   * @param {string} id
   * @param {string} name
   * @param {string} parentMessageId
   */
  #addCall(id, name, parentMessageId) {
    const index = -1;
    const events = [...this.start({ index, id, name }, parentMessageId).events, ...this.#close(index, "complete")];
    this.#calls.delete(index);
    return events;
  }

  /**
   * Returns error results for the calls whose arguments can't be used. Without a result, a client would run the tool.
   *
   * @param {() => string} nextId
   * @returns {AgUiEvent[]}
   */
  rejectBroken(nextId) {
    return this.#reject(nextId, (status) => (status === "complete" ? undefined : REASONS[status]));
  }

  /**
   * Returns error results for the calls of this answer that turned out not to be calls: all whose ids aren't in `ids`.
   *
   * @param {ReadonlySet<string>} ids
   * @param {() => string} nextId
   * @returns {AgUiEvent[]}
   */
  withdraw(ids, nextId) {
    const gone = [...this.#calls.values()].filter(({ id, given }) => !ids.has(given) && this.#unanswered.delete(id));
    return gone.map(({ id }) => resultEvent(nextId(), id, "The call was withdrawn.", true));
  }

  /**
   * Returns error results for the calls of a failed attempt: the next attempt makes its own.
   *
   * @param {() => string} nextId
   * @returns {AgUiEvent[]}
   */
  abandon(nextId) {
    this.startStep();
    return this.#reject(nextId, () => "The call was dropped, because the answer broke off.");
  }

  /**
   * @param {() => string} nextId
   * @param {(status: ToolCallStatus) => string | undefined} reasonOf
   * @returns {AgUiEvent[]}
   */
  #reject(nextId, reasonOf) {
    return [...this.#unanswered].flatMap(([id, status]) => {
      const reason = reasonOf(status);
      if (reason === undefined) return [];
      this.#unanswered.delete(id);
      return [resultEvent(nextId(), id, reason, true)];
    });
  }

  /** Ids of the calls that are left for the client. */
  get pending() {
    return [...this.#unanswered.keys()];
  }
}

/** @type {(id: string, name: string) => string} */
const keyOf = (id, name) => `${name}\n${id}`;

/**
 * @param {string} messageId
 * @param {string} toolCallId
 * @param {import("../types/ag_ui.js").AgUiContent} content
 * @param {boolean} isError
 * @returns {AgUiEvent}
 */
const resultEvent = (messageId, toolCallId, content, isError) => ({
  type: "TOOL_CALL_RESULT",
  messageId,
  toolCallId,
  content,
  role: "tool",
  ...(isError && { metadata: { isError } }),
});
