/** The loop around a model that calls tools. src/runner/ decides what to do next; this does it. */

/** @import { AnnotatedLlmResponse, RequestDelta, RequestFailure, RequestMessage, RequestOptions, RequestResult, RequestState, Usage } from "../types/api.js" */
/** @import { RequestHandle as Handle } from "../types/api.js" */
/** @import { Span } from "../tracing/tracer.js" */
/** @import { RunOptions } from "./run_options.js" */
/** @import { PlannedCall } from "./tools.js" */
/** @import { TurnEvent } from "./turn.js" */

import { RequestMachine } from "../../pkg/wasm/respool.js";
import { orAbort } from "../abort.js";
import { StreamAccumulator } from "../accumulator.js";
import { asProviderError, messageOf, RespoolError } from "../errors.js";
import { refuseValue } from "../options.js";
import { openSpan } from "../tracing/tracer.js";
import { backoff, wait } from "./clock.js";
import { formatFor, formatToolMessages } from "./messages/format.js";
import { makeInspectable } from "../handle.js";
import { DeltaQueue } from "./queue.js";
import { readRunOptions, streamOptions } from "./run_options.js";
import { runTools, ToolFailure } from "./tools.js";
import { askModel } from "./turn.js";

/**
 * What the state machine wants done next: see src/runner/command.rs.
 *
 * @typedef {object} Command
 * @property {"ask" | "wait" | "run-tools" | "stop" | "ignore"} command
 * @property {number} attempt
 * @property {PlannedCall[]} calls
 */

/**
 * What happened, for the state machine: see src/runner/event.rs.
 *
 * @typedef {TurnEvent
 *   | { type: "retry-due" | "tools-done" }
 *   | ({ type: "tool-failed" | "broke", message: string } & TurnSoFar)
 *   | ({ type: "canceled" } & TurnSoFar)} MachineEvent
 */

/**
 * The text and the usage of the attempt that is running.
 *
 * @typedef {{ text: string, usage: Usage | undefined }} TurnSoFar
 */

/**
 * @param {RequestOptions} options
 * @returns {Handle}
 */
export function runRequest(options) {
  const runOptions = readRunOptions(options);
  new StreamAccumulator(streamOptions(runOptions)).free(); // reports invalid options at once
  return new RequestHandle(runOptions);
}

/**
 * The state of a request while it carries out a command.
 *
 * @type {Partial<Record<Command["command"], RequestState>>}
 */
const STATES = { ask: "running", wait: "running", "run-tools": "tool_running" };

/** @type {TurnSoFar} */
const NO_TURN = { text: "", usage: undefined };

/** @implements {Handle} */
class RequestHandle {
  static get name() {
    return "RequestHandle";
  }

  #options;
  /** @type {RequestState} */
  #state = "running";
  /** Freed at the end of the request. */
  #machine;
  #messages;
  #turn = NO_TURN;
  /**
   * What the turns cost, if a provider says so. Numbers are added here, because the module's are integers.
   *
   * @type {number | undefined}
   */
  #cost;
  /** The text of all turns, in case the machine is lost. */
  #text = "";
  /**
   * From asking the model to the results of the tools.
   *
   * @type {Span | undefined}
   */
  #span;
  /** @type {AnnotatedLlmResponse | undefined} */
  #response;
  /** @type {number | undefined} */
  #lastByteAt;
  /**
   * The error that ended the last attempt, or the reason of a cancellation.
   *
   * @type {unknown}
   */
  #cause;
  /** @type {RequestResult | undefined} */
  #result;
  #queue = new DeltaQueue();
  #controller = new AbortController();
  /** @type {(value?: undefined) => void} */
  #resolveEnd = () => {};
  #end = new Promise((resolve) => {
    this.#resolveEnd = resolve;
  });
  #onAbort = () => this.cancel(this.#options.signal?.reason);

  /** @param {RunOptions} options */
  constructor(options) {
    this.#options = options;
    this.#messages = options.messages;
    this.#machine = new RequestMachine(options.machine);
    if (options.signal?.aborted) {
      this.#onAbort();
      return;
    }
    options.signal?.addEventListener("abort", this.#onAbort, { once: true });
    // Not synchronously, so that callers can listen before the first delta.
    Promise.resolve().then(() => this.#drive());
  }

  get state() {
    return this.#state;
  }

  /** @param {unknown} [reason] */
  cancel(reason) {
    if (this.#result) return;
    this.#cause = reason;
    this.#handle({ type: "canceled", ...this.#turn });
    this.#controller.abort(reason);
  }

  async result() {
    await this.#end;
    if (this.#state === "canceled") throw abortError(this.#cause);
    return this.getResult();
  }

  getResult() {
    if (this.#result) return this.#result;
    throw new RespoolError("request-running", `the request is still ${this.#state}: await result() first`);
  }

  [Symbol.asyncIterator]() {
    return this.#queue.iterator(() => this.cancel());
  }

  async #drive() {
    /** @type {Command | undefined} */
    let next = { command: "ask", attempt: 0, calls: [] };
    while (!this.#result && next) {
      const event = await this.#run(next).catch((error) => this.#failed(error));
      if (!this.#result) next = this.#handle(event);
    }
  }

  /**
   * Reports an event to the machine, and returns its next command; undefined if the machine is lost.
   *
   * @param {MachineEvent} event
   * @returns {Command | undefined}
   */
  #handle(event) {
    try {
      /** @type {Command} */
      const next = this.#machine.handle(event);
      if (next.command === "stop") this.#settle(this.#machine.result());
      else this.#state = STATES[next.command] ?? this.#state;
      return next;
    } catch (error) {
      // Another call into the module failed, and all its objects are lost. The request still has to end.
      this.#cause = error;
      const failure = /** @type {RequestFailure} */ ({ code: "unknown_error", message: messageOf(error) });
      this.#settle({ state: "failed", text: this.#text, signals: [], failure, toolBudgetRemaining: 0, iterations: 0 });
      return undefined;
    }
  }

  /** @param {RequestResult} result */
  #settle(result) {
    this.#result = /** @type {RequestResult} */ ({ ...result, lastByteAt: this.#lastByteAt });
    this.#machine.free();
    const { state, failure, usage } = result;
    if (usage && this.#cost !== undefined) usage.reportedCost = this.#cost;
    this.#state = state;
    if (failure && this.#cause !== undefined) Object.assign(failure, detailsOf(this.#cause), { cause: this.#cause });
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#endSpan(failure && (failure.cause ?? failure));
    this.#queue.close();
    this.#resolveEnd();
  }

  /**
   * The event for an error.
   *
   * @param {unknown} error
   * @returns {MachineEvent}
   */
  #failed(error) {
    const isTool = error instanceof ToolFailure;
    if (!this.#result) this.#cause = isTool ? error.cause : error;
    return { type: isTool ? "tool-failed" : "broke", message: messageOf(error), ...this.#turn };
  }

  /**
   * Carries out a command, and resolves with the event that it led to.
   *
   * @param {Command} command
   * @returns {Promise<MachineEvent>}
   */
  #run({ command, attempt, calls }) {
    if (command === "run-tools") return this.#runTools(calls);
    return command === "wait" ? this.#wait(attempt) : this.#ask();
  }

  /** @param {unknown} [error] */
  #endSpan(error) {
    this.#span?.emit("error", error);
    this.#span?.end();
    this.#span = undefined;
  }

  async #ask() {
    this.#turn = { ...NO_TURN };
    this.#endSpan();
    this.#span = openSpan("turn");
    this.#span?.emit("signature", "respool.runRequest");
    this.#span?.emit("inputs", { params: this.#options.params, messages: this.#messages });
    const { event, response, cause } = await askModel(this.#options, this.#messages, this.#controller.signal, {
      onRead: () => {
        this.#lastByteAt = this.#options.clock.now();
      },
      onDelta: (delta) => this.#emit(delta),
      span: this.#span,
    });
    this.#span?.emit("result", { text: event.text, toolCalls: event.calls });
    this.#span?.emit("usage", event.usage);
    const cost = event.usage?.reportedCost;
    if (cost !== undefined) this.#cost = (this.#cost ?? 0) + cost;
    if (!this.#result) [this.#response, this.#cause] = [response, cause];
    return event;
  }

  /**
   * @param {number} attempt
   * @returns {Promise<MachineEvent>}
   */
  async #wait(attempt) {
    const { clock, random } = this.#options;
    const delay = backoff(attempt, random);
    const message = `the answer broke off; asking again in ${Math.round(delay)} ms and keeping the text so far`;
    const warning = /** @type {const} */ ({ type: "warning", code: "turn-retried", message });
    this.#endSpan(this.#cause ?? warning);
    await this.#emit(warning);
    await wait(delay, clock, this.#controller.signal);
    return { type: "retry-due" };
  }

  /** @param {RequestDelta} delta */
  #emit(delta) {
    if (this.#result) return undefined;
    if (delta.type === "text" && !delta.choice) {
      this.#turn.text += delta.text;
      this.#text += delta.text;
    }
    if (delta.type === "usage") this.#turn.usage = delta.usage;
    this.#queue.push(delta);
    return this.#options.onDelta?.(delta);
  }

  /**
   * Runs the tools, and appends their calls and results to the conversation.
   *
   * @param {PlannedCall[]} calls
   * @returns {Promise<MachineEvent>}
   */
  async #runTools(calls) {
    const { api, rebuildConversation } = this.#options;
    const { signal } = this.#controller;
    const response = /** @type {AnnotatedLlmResponse} */ (this.#response);
    const results = await runTools(calls, this.#options, signal, this.#span);
    /** @type {readonly RequestMessage[]} */
    let messages = [...this.#messages, ...formatToolMessages(formatFor(api, response), response, calls, results)];
    if (rebuildConversation) {
      messages = await orAbort(rebuildConversation([...messages]), signal);
      if (!Array.isArray(messages)) {
        refuseValue("the result of options.rebuildConversation", "the list of messages", messages);
      }
    }
    this.#messages = [...messages];
    return { type: "tools-done" };
  }
}

makeInspectable(RequestHandle, ({ state }) => ({ state }));

/**
 * What a failure repeats of an error of the provider.
 *
 * @param {unknown} cause
 */
function detailsOf(cause) {
  const { status, retryAfter, requestId } = asProviderError(cause) ?? {};
  return {
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(requestId !== undefined && { requestId }),
  };
}

/** @param {unknown} reason */
function abortError(reason) {
  if (/** @type {Error | undefined} */ (reason)?.name === "AbortError") return reason;
  const error = new DOMException("the request was canceled", "AbortError");
  return reason === undefined ? error : Object.defineProperty(error, "cause", { value: reason });
}
