/** Runs the loop around a model that calls tools: carries out the commands of the state machine in src/runner/. */

/** @import { AnnotatedLlmResponse, RequestFailure, RequestOptions, RequestResult, RequestState, RequestToolResult, ToolCall } from "../types/api.js" */
/** @import { RequestHandle as Handle } from "../types/api.js" */
/** @import { Span } from "../tracing/tracer.js" */
/** @import { Command, MachineEvent, MachineResult } from "./machine.js" */
/** @import { RunOptions } from "./run_options.js" */
/** @import { PlannedCall } from "./tools.js" */

import { deferred, onAbort } from "../abort.js";
import { StreamAccumulator } from "../accumulator.js";
import { asProviderError, isA, messageOf, RespoolError } from "../errors.js";
import { emitResponse } from "../tracing/answer.js";
import { openSpan } from "../tracing/tracer.js";
import { backoff, wait } from "./clock.js";
import { makeInspectable } from "../handle.js";
import { Conversation } from "./conversation.js";
import { Machine } from "./machine.js";
import { itemsOfCalls } from "./messages/response.js";
import { RequestOutput } from "./output.js";
import { payloadOf, readRunOptions, streamOptions } from "./run_options.js";
import { StepLog } from "./step_log.js";
import { ArgumentsRejected, runTools, ToolFailure } from "./tools.js";
import { askModel } from "./turn.js";

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
 * The state of a request while it carries out each command.
 *
 * @type {Partial<Record<Command["command"], RequestState>>}
 */
const STATES = { ask: "running", wait: "running", "run-tools": "tool_running", "finish-step": "running" };

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
  #conversation;
  #steps = new StepLog();
  /** Whether the first turn has begun. */
  #hasBegun = false;
  /** Whether the conversation already contains the last turn. */
  #isKept = false;
  /** Whether the caller hasn't seen the conversation since tools have run. */
  #hasNewResults = false;
  /** Whether the current attempt of the turn is a retry. */
  #isRetry = false;
  /** Settles once the caller has handled the last delta of a tool. */
  #taken = Promise.resolve();
  /**
   * The span of the turn, from asking the model to the results of the tools.
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
  #controller = new AbortController();
  #output;
  /** @type {ReturnType<typeof deferred<void>>} */
  #end = deferred();
  #stopListening = () => {};

  /** @param {RunOptions} options */
  constructor(options) {
    this.#options = options;
    this.#conversation = new Conversation(options);
    this.#output = new RequestOutput(options.onDelta, this.#controller.signal);
    this.#machine = new Machine(options.machine);
    this.#stopListening = onAbort(options.signal, () => this.cancel(options.signal?.reason));
    // Starts asynchronously, so that callers can listen before the first delta.
    if (!this.#result) Promise.resolve().then(() => this.#drive());
  }

  get state() {
    return this.#state;
  }

  /** @param {unknown} [reason] */
  cancel(reason) {
    if (this.#result) return;
    this.#cause = reason;
    this.#handle({ type: "canceled", ...this.#output.turn });
    this.#controller.abort(reason);
  }

  async result() {
    await this.#end.promise;
    if (this.#state === "canceled") throw abortError(this.#cause);
    return this.getResult();
  }

  getResult() {
    if (this.#result) return this.#result;
    throw new RespoolError("request-running", `The request is still ${this.#state}: await result() first`);
  }

  [Symbol.asyncIterator]() {
    return this.#output.iterator(() => this.cancel());
  }

  async #drive() {
    /** @type {Command | undefined} */
    let next = { command: "ask", attempt: 0, calls: [] };
    while (!this.#result && next) {
      const event = await this.#run(next).catch((error) => this.#failed(error));
      if (!this.#result) next = this.#handle(event);
    }
    // A cancelled request has its result at once, but the spans inside the turn's span end only now.
    const { state, failure } = this.#result ?? {};
    this.#endSpan(state === "canceled" ? abortError(this.#cause) : (failure?.cause ?? failure));
  }

  /**
   * Reports an event to the machine, and returns its next command; undefined if the machine is lost.
   *
   * @param {MachineEvent} event
   * @returns {Command | undefined}
   */
  #handle(event) {
    try {
      const next = this.#machine.handle(event);
      if (next.command === "stop") this.#settle(this.#machine.result());
      else this.#state = STATES[next.command] ?? this.#state;
      return next;
    } catch (error) {
      // Another call into the module failed, and all its objects are lost. The request still has to end.
      this.#cause = error;
      const failure = /** @type {RequestFailure} */ ({ code: "unknown_error", message: messageOf(error) });
      const rest = { signals: [], toolBudgetRemaining: 0, iterations: this.#steps.index };
      this.#settle({ state: "failed", text: this.#output.text, failure, ...rest });
      return undefined;
    }
  }

  /** @param {MachineResult} result */
  #settle(result) {
    const { steps } = this.#steps;
    const isBetweenTurns = this.#isKept && result.state !== "completed";
    if (result.state === "completed" && this.#response) this.#conversation.append(this.#response, [], []);
    const { messages, added } = this.#conversation;
    this.#result = {
      ...result,
      messages: [...messages],
      newMessages: added,
      finalText: isBetweenTurns ? "" : (steps.at(-1)?.text ?? this.#output.turn.text),
      steps,
      ...(this.#lastByteAt !== undefined && { lastByteAt: this.#lastByteAt }),
    };
    this.#machine.free();
    const { state, failure } = result;
    this.#state = state;
    if (failure && this.#cause !== undefined) Object.assign(failure, detailsOf(this.#cause), { cause: this.#cause });
    this.#stopListening();
    this.#output.close();
    this.#end.resolve();
  }

  /**
   * Returns the event for an error.
   *
   * @param {unknown} error
   * @returns {MachineEvent}
   */
  #failed(error) {
    const isInvalid = isA(error, ArgumentsRejected);
    const isTool = isInvalid || isA(error, ToolFailure);
    if (!this.#result) this.#cause = isTool ? error.cause : error;
    const type = isInvalid ? "arguments-rejected" : isTool ? "tool-failed" : "broke";
    return { type, message: messageOf(error), ...this.#output.turn };
  }

  /**
   * Carries out a command, and resolves with the resulting event.
   *
   * @param {Command} command
   * @returns {Promise<MachineEvent>}
   */
  #run({ command, attempt, calls }) {
    if (command === "run-tools") return this.#runTools(calls);
    if (command === "finish-step") return this.#finishStep();
    return command === "wait" ? this.#wait(attempt) : this.#ask();
  }

  /** @param {unknown} [error] */
  #endSpan(error) {
    this.#span?.emit("error", error);
    this.#span?.end();
    this.#span = undefined;
  }

  async #ask() {
    this.#output.beginTurn();
    this.#machine.beginAttempt();
    if (this.#hasNewResults) {
      this.#hasNewResults = false; // another attempt sends the same conversation
      await this.#conversation.rebuild(this.#controller.signal);
    }
    this.#endSpan();
    this.#span = openSpan("turn");
    this.#span?.emit("signature", "respool.runRequest");
    const { unsent, continued } = this.#conversation;
    const { agent, params } = this.#options;
    this.#span?.emit("inputs", { ...(agent && { agent }), params, messages: unsent });
    const payload = payloadOf(this.#options, unsent, continued);
    await this.#announce();
    const { event, response, cause, callerError } = await askModel(this.#options, payload, this.#controller.signal, {
      onOpen: (read) => {
        this.#isKept = false;
        this.#steps.start(read);
      },
      onRead: () => {
        this.#lastByteAt = this.#options.clock.now();
      },
      onDelta: (delta) => this.#output.emit(delta),
      span: this.#span,
    });
    // An answer may have no choice 0. Its text is then that of the lowest index.
    if (this.#output.turn.text === "") this.#output.addText(event.text);
    this.#span?.emit("result", { text: event.text, toolCalls: event.calls.map(plainCall) });
    if (this.#span) emitResponse(this.#span, response, true);
    if (callerError) throw callerError.error;
    if (!this.#result) [this.#response, this.#cause] = [response, cause];
    return event;
  }

  /** Emits the start of a turn, and before the first turn warnings about tools that the model can't know. */
  async #announce() {
    if (this.#isRetry) return;
    const { undefinedTools } = this.#options;
    for (const name of this.#hasBegun ? [] : undefinedTools) {
      const message = `No definition of the tool '${name}' is sent, so the model can't know it unless the prompt describes it. Use tool(), or add it to options.toolDefinitions.`;
      await this.#output.emitAndWait({ type: "warning", code: "undefined-tool", message });
    }
    this.#hasBegun = true;
    await this.#output.emitAndWait({ type: "step-start", step: this.#steps.index });
  }

  /** @returns {Promise<MachineEvent>} */
  async #finishStep() {
    this.#isRetry = false;
    const step = this.#steps.index;
    const { finishReason, usage } = this.#steps.finish() ?? {};
    const known = { ...(finishReason !== undefined && { finishReason }), ...(usage !== undefined && { usage }) };
    await this.#output.emitAndWait({ type: "step-finish", step, ...known });
    return { type: "step-finished" };
  }

  /**
   * @param {number} attempt
   * @returns {Promise<MachineEvent>}
   */
  async #wait(attempt) {
    const { clock, random } = this.#options;
    const { retryAfter } = asProviderError(this.#cause) ?? {};
    const delay = retryAfter === undefined ? backoff(attempt, random) : retryAfter * 1000;
    const message = `The answer broke off; asking again in ${Math.round(delay)} ms and keeping the text so far`;
    const warning = /** @type {const} */ ({ type: "warning", code: "turn-retried", message });
    this.#endSpan(this.#cause ?? warning);
    this.#isRetry = true;
    await this.#output.emitAndWait(warning);
    await wait(delay, clock, this.#controller.signal);
    return { type: "retry-due" };
  }

  /**
   * Runs the tools, and appends their calls and results to the conversation. A paused turn has no calls.
   *
   * @param {PlannedCall[]} calls
   * @returns {Promise<MachineEvent>}
   */
  async #runTools(calls) {
    const { signal } = this.#controller;
    const response = /** @type {AnnotatedLlmResponse} */ (this.#response);
    /** @type {(index: number, result: RequestToolResult) => Promise<void>} */
    const onResult = (index, result) => {
      this.#steps.addResult(index, result);
      // Tools may end at the same time, but the caller gets one delta at a time.
      this.#taken = this.#taken.then(() => this.#output.emitAndWait({ type: "tool-result", ...result }));
      return this.#taken;
    };
    const items = itemsOfCalls(response);
    const planned = calls.map((call) => ({ ...call, outputItem: items.get(call.id) }));
    const results = await runTools(planned, this.#options, signal, { onResult, span: this.#span });
    this.#conversation.append(response, calls, results);
    this.#isKept = true;
    this.#hasNewResults = true;
    return { type: "tools-done" };
  }
}

makeInspectable(RequestHandle, ({ state }) => ({ state }));

/**
 * Returns the details of a provider's error that a failure repeats.
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

/** Returns a call as callers see it. @param {ToolCall} call @returns {ToolCall} */
const plainCall = ({ id, name, arguments: text }) => ({ id, name, arguments: text });

/** @param {unknown} reason */
function abortError(reason) {
  if (/** @type {Error | undefined} */ (reason)?.name === "AbortError") return reason;
  const error = new DOMException("The request was cancelled", "AbortError");
  return reason === undefined ? error : Object.defineProperty(error, "cause", { value: reason });
}
