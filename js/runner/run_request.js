/** The loop around a model that calls tools. What is to be done next is decided in src/runner/; here it is done. */

import { RequestMachine } from "../../pkg/wasm/respool.js";
import { StreamAccumulator } from "../accumulator.js";
import { RespoolError, messageOf } from "../errors.js";
import { wrong } from "../options.js";
import { orAbort } from "../abort.js";
import { backoff, wait } from "./clock.js";
import { formatFor, formatToolMessages } from "./messages/format.js";
import { makeInspectable } from "../handle.js";
import { openSpan } from "../tracing/tracer.js";
import { DeltaQueue } from "./queue.js";
import { readRunOptions, streamOptions } from "./run_options.js";
import { ToolFailure, runTools } from "./tools.js";
import { askModel } from "./turn.js";

export function runRequest(options) {
  const given = readRunOptions(options);
  new StreamAccumulator(streamOptions(given)).free(); // says now what is wrong with its options
  return new RequestHandle(given);
}

/** Where a request is while the machine wants this to be done. */
const STATES = { ask: "running", wait: "running", "run-tools": "tool_running" };

const NO_TURN = { text: "", usage: undefined };

class RequestHandle {
  static get name() {
    return "RequestHandle";
  }

  #options;
  #state = "running";
  /** There until the request is over. */
  #machine;
  #messages;
  /** What was said and paid for in the attempt that is under way. */
  #turn = NO_TURN;
  /** Everything that was said, should the machine be lost. */
  #said = "";
  /** From the question to the results of the tools. */
  #span;
  #response;
  #lastByteAt;
  /** What was thrown, or the reason of a cancel. */
  #cause;
  #result;
  #queue = new DeltaQueue();
  #controller = new AbortController();
  #isOver;
  #end = new Promise((resolve) => (this.#isOver = resolve));
  #onAbort = () => this.cancel(this.#options.signal.reason);

  constructor(options) {
    this.#options = options;
    this.#messages = options.messages;
    this.#machine = new RequestMachine(options.machine);
    if (options.signal?.aborted) return this.#onAbort();
    options.signal?.addEventListener("abort", this.#onAbort, { once: true });
    // Not at once, so that nothing is told before somebody can listen.
    Promise.resolve().then(() => this.#drive());
  }

  get state() {
    return this.#state;
  }

  cancel(reason) {
    if (this.#result) return;
    this.#cause = reason;
    this.#tell({ type: "canceled", ...this.#turn });
    this.#controller.abort(reason);
  }

  async result() {
    await this.#end;
    if (this.#state === "canceled") throw abortError(this.#cause);
    return this.#result;
  }

  getResult() {
    if (this.#result) return this.#result;
    throw new RespoolError("request-running", `the request is not over, but ${this.#state}: await result() first`);
  }

  [Symbol.asyncIterator]() {
    return this.#queue.iterator(() => this.cancel());
  }

  async #drive() {
    let next = { command: "ask" };
    while (!this.#result) {
      const event = await this.#run(next).catch((error) => this.#failed(error));
      if (!this.#result) next = this.#tell(event);
    }
  }

  /** Tells the machine what has happened; gives what is to be done next. */
  #tell(event) {
    try {
      const next = this.#machine.handle(event);
      if (next.command === "stop") this.#settle(this.#machine.result());
      else this.#state = STATES[next.command];
      return next;
    } catch (error) {
      // Another call into the module has failed so that all of its objects are gone. The request ends nevertheless.
      this.#cause = error;
      const failure = { code: "unknown_error", message: messageOf(error) };
      this.#settle({ state: "failed", text: this.#said, signals: [], failure, toolBudgetRemaining: 0, iterations: 0 });
      return undefined;
    }
  }

  #settle(result) {
    this.#result = { ...result, lastByteAt: this.#lastByteAt };
    this.#machine.free();
    const { state, failure } = result;
    this.#state = state;
    if (failure && this.#cause !== undefined) failure.cause = this.#cause;
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#endSpan(failure && (failure.cause ?? failure));
    this.#queue.close();
    this.#isOver();
  }

  /** The event that an error comes to. */
  #failed(error) {
    const isTool = error instanceof ToolFailure;
    if (!this.#result) this.#cause = isTool ? error.cause : error;
    return { type: isTool ? "tool-failed" : "broke", message: messageOf(error), ...this.#turn };
  }

  /** Does what the machine wants; gives the event that it comes to. */
  #run({ command, attempt, calls }) {
    if (command === "run-tools") return this.#answer(calls);
    return command === "wait" ? this.#wait(attempt) : this.#ask();
  }

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
      onRead: () => (this.#lastByteAt = this.#options.clock.now()),
      onDelta: (delta) => this.#give(delta),
      span: this.#span,
    });
    this.#span?.emit("result", { text: event.text, toolCalls: event.calls });
    this.#span?.emit("usage", event.usage);
    if (!this.#result) [this.#response, this.#cause] = [response, cause];
    return event;
  }

  async #wait(attempt) {
    const { clock, random } = this.#options;
    const delay = backoff(attempt, random);
    const message = `the answer broke off; asking again in ${Math.round(delay)} ms. What it had said is kept`;
    const warning = { type: "warning", code: "turn-retried", message };
    this.#endSpan(this.#cause ?? warning);
    await this.#give(warning);
    await wait(delay, clock, this.#controller.signal);
    return { type: "retry-due" };
  }

  /** Hands a delta on. */
  #give(delta) {
    if (this.#result) return undefined;
    if (delta.type === "text" && !delta.choice) {
      this.#turn.text += delta.text;
      this.#said += delta.text;
    }
    if (delta.type === "usage") this.#turn.usage = delta.usage;
    this.#queue.push(delta);
    return this.#options.onDelta?.(delta);
  }

  /** Runs the tools, and adds to the conversation what they were asked and answer. */
  async #answer(calls) {
    const [options, { signal }] = [this.#options, this.#controller];
    const results = await runTools(calls, options, signal, this.#span);
    const added = formatToolMessages(formatFor(options.api, this.#response), this.#response, calls, results);
    this.#messages = [...this.#messages, ...added];
    if (options.rebuildConversation) {
      this.#messages = await orAbort(options.rebuildConversation(this.#messages), signal);
      if (!Array.isArray(this.#messages)) wrong("what options.rebuildConversation gives", "the list of messages");
    }
    return { type: "tools-done" };
  }
}

makeInspectable(RequestHandle, ({ state }) => ({ state }));

function abortError(reason) {
  if (reason?.name === "AbortError") return reason;
  const error = new DOMException("the request was canceled", "AbortError");
  return reason === undefined ? error : Object.defineProperty(error, "cause", { value: reason });
}
