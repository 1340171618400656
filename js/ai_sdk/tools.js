/** Converts tool calls to chunks of the AI SDK: calls to run, and calls that the provider runs itself. */

/** @import { ContentPart, Delta, RequestToolResult, ToolCall, ToolCallStatus } from "../types/api.js" */
/** @import { UIMessageChunk } from "../types/ai_sdk.js" */

import { ServerTools } from "../server_tools.js";
import { UniqueIds } from "../unique_ids.js";

/** @type {(name: string, member: unknown) => unknown} */
const withoutBigInts = (_name, member) => (typeof member === "bigint" ? String(member) : member);

/**
 * Converts a result to a JSON value. A value without JSON becomes `null`.
 *
 * @param {unknown} result
 * @returns {unknown}
 */
const jsonValue = (result) =>
  typeof result === "string" ? result : JSON.parse(JSON.stringify(result, withoutBigInts) ?? "null");

const DROPPED = "The call was dropped, because the answer broke off.";
const WITHDRAWN = "The call was withdrawn.";

/**
 * Properties of the page that decide how calls are shown.
 *
 * @typedef {object} ToolOptions
 * @property {(name: string) => boolean} isDynamic whether the page has no type for a tool
 * @property {boolean} hasApprovals whether the page's version supports approval requests
 */

export class ToolChunks {
  #options;
  /**
   * The calls whose arguments are still arriving, by id.
   *
   * @type {Map<string, { name: string, text: string }>}
   */
  #open = new Map();
  #serverTools = new ServerTools();
  /**
   * The complete calls of this step without an output, with their marks, by id.
   *
   * @type {Map<string, { providerExecuted?: boolean, dynamic?: boolean }>}
   */
  #unanswered = new Map();
  /** Ids of the calls that the page received as calls to run. */
  #started = new UniqueIds("_");
  /**
   * The page's id of each call of this step, by the provider's id. Servers may reuse ids in each answer, but a page has
   * one part per id.
   *
   * @type {Map<string, string>}
   */
  #ids = new Map();
  /**
   * Ids of calls of tools that the page has no type for.
   *
   * @type {Set<string>}
   */
  #dynamic = new Set();
  /**
   * Ids of the calls whose approval requests were emitted.
   *
   * @type {Set<string>}
   */
  #approvals = new Set();

  /** @param {ToolOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /** Starts a step: the following calls are those of another answer. */
  startStep() {
    this.#unanswered.clear();
    this.#ids.clear();
  }

  /** @param {string} given */
  #idOf(given) {
    return this.#ids.get(given) ?? given;
  }

  /** @param {string} given */
  #newId(given) {
    const id = this.#started.take(given);
    this.#ids.set(given, id);
    return id;
  }

  /**
   * @param {Extract<Delta, { type: "tool-call-start" }>} delta
   * @returns {UIMessageChunk<7>}
   */
  start({ id: given, name }) {
    const id = this.#ids.get(given) ?? this.#newId(given);
    this.#open.set(id, { name, text: "" });
    if (this.#options.isDynamic(name)) this.#dynamic.add(id);
    else this.#dynamic.delete(id);
    return { type: "tool-input-start", toolCallId: id, toolName: name, ...this.#markOf(id) };
  }

  /** @param {string} id */
  #markOf(id) {
    return this.#dynamic.has(id) ? { dynamic: true } : {};
  }

  /**
   * @param {Extract<Delta, { type: "tool-call-delta" }>} delta
   * @returns {UIMessageChunk<7>[]}
   */
  append({ id: given, arguments: fragment }) {
    const id = this.#idOf(given);
    const call = this.#open.get(id);
    if (call === undefined) return [];
    call.text += fragment;
    return [{ type: "tool-input-delta", toolCallId: id, inputTextDelta: fragment }];
  }

  /**
   * @param {ToolCall} toolCall
   * @param {ToolCallStatus} status
   * @returns {UIMessageChunk<7>}
   */
  end({ id, ...call }, status) {
    return this.#end({ id: this.#idOf(id), ...call }, status);
  }

  /**
   * @param {ToolCall} toolCall with the page's id
   * @param {ToolCallStatus} status
   * @returns {UIMessageChunk<7>}
   */
  #end({ id, name, arguments: text }, status) {
    this.#open.delete(id);
    const call = { toolCallId: id, toolName: name, ...this.#markOf(id) };
    if (status === "complete") {
      this.#unanswered.set(id, this.#markOf(id));
      return { type: "tool-input-available", ...call, input: JSON.parse(text) };
    }
    const errorText = status === "invalid" ? "The arguments aren't valid JSON." : "The arguments are incomplete.";
    return { type: "tool-input-error", ...call, input: text, errorText };
  }

  /**
   * Returns the chunk for the result of a tool that `runRequest` has run. An error's message may be meant for the model
   * alone.
   *
   * @param {RequestToolResult} outcome
   * @param {(error: unknown) => string} onError
   * @returns {UIMessageChunk<7>}
   */
  result({ id: given, error, result }, onError) {
    const id = this.#idOf(given);
    this.#unanswered.delete(id);
    const call = { toolCallId: id, ...this.#markOf(id) };
    if (error !== undefined) return { type: "tool-output-error", ...call, errorText: onError(new Error(error)) };
    return { type: "tool-output-available", ...call, output: jsonValue(result) };
  }

  /**
   * Ends the calls of a failed attempt: the next attempt makes its own.
   *
   * @returns {UIMessageChunk<7>[]}
   */
  abandon() {
    const unanswered = [...this.#unanswered.keys()];
    const chunks = unanswered.map((id) => this.#drop(id, DROPPED));
    this.startStep();
    return chunks;
  }

  /**
   * Ends the calls of this answer that turned out not to be calls: all whose ids aren't in `ids`.
   *
   * @param {ReadonlySet<string>} ids
   * @returns {UIMessageChunk<7>[]}
   */
  withdraw(ids) {
    const others = [...this.#ids].filter(([given, id]) => !ids.has(given) && this.#unanswered.has(id));
    const gone = others.filter(([, id]) => !this.#unanswered.get(id)?.providerExecuted);
    return gone.map(([, id]) => this.#drop(id, WITHDRAWN));
  }

  /**
   * @param {string} toolCallId
   * @param {string} errorText
   * @returns {UIMessageChunk<7>}
   */
  #drop(toolCallId, errorText) {
    const marks = this.#unanswered.get(toolCallId);
    this.#unanswered.delete(toolCallId);
    return { type: "tool-output-error", toolCallId, ...marks, errorText };
  }

  /** Ends the calls that are still open. */
  endAll() {
    return [...this.#open].map(([id, { name, text }]) => this.#end({ id, name, arguments: text }, "truncated"));
  }

  /**
   * Returns the news about a tool that the provider runs: it sends the same tool several times, each time with more. If
   * a call to run turns out to have a result from the provider, its existing part gets that result.
   *
   * @param {Extract<ContentPart, { type: "server-tool" }>} part
   * @returns {UIMessageChunk<7>[]}
   */
  serverTool(part) {
    const { id: given, name, isNew, call, result, outcome } = this.#serverTools.take(part);
    const id = this.#idOf(given);
    const isStarted = this.#started.has(id);
    const marks = { providerExecuted: true, ...(isStarted ? this.#markOf(id) : { dynamic: true }) };
    const shared = { toolCallId: id, ...marks };
    /** @type {UIMessageChunk<7>[]} */
    const chunks = [];
    if (!isStarted && (isNew || call))
      chunks.push({ type: "tool-input-available", ...shared, toolName: name, input: call?.value ?? {} });
    if (result || outcome) this.#unanswered.delete(id);
    else if (isNew) this.#unanswered.set(id, marks);
    if (result) chunks.push({ type: "tool-output-available", ...shared, output: result.value });
    if (outcome) chunks.push({ type: "tool-output-available", ...shared, output: outcome });
    return [...chunks, ...this.#approval(id, part.raw)];
  }

  /**
   * Returns the approval request of a call that waits for approval.
   *
   * @param {string} toolCallId
   * @param {unknown} raw
   * @returns {UIMessageChunk<7>[]}
   */
  #approval(toolCallId, raw) {
    const item =
      /** @type {{ type?: unknown, approval_request_id?: unknown, confirmation_status?: unknown } | null | undefined} */
      (raw);
    const isRequest = item?.type === "mcp_approval_request" || item?.confirmation_status === "pending";
    if (!item || !isRequest || !this.#options.hasApprovals || this.#approvals.has(toolCallId)) return [];
    this.#approvals.add(toolCallId);
    const { approval_request_id: given } = item;
    return [{ type: "tool-approval-request", approvalId: typeof given === "string" ? given : toolCallId, toolCallId }];
  }
}
