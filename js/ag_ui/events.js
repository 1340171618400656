/** Converts deltas to the events of an AG-UI run: https://docs.ag-ui.com/concepts/events */

/** @import { ContentPart, Delta, RequestDelta, ToolCall } from "../types/api.js" */
/** @import { SourceState } from "../delta_source.js" */
/** @import { AgUiEvent, AgUiOutcome } from "../types/ag_ui.js" */
/** @import { MessageKind } from "./messages.js" */
/** @import { RunIds } from "./run.js" */

import { isTruncated, responsesOf } from "../delta_source.js";
import { imageFiles, isThought } from "../files.js";
import { isContent } from "../known_deltas.js";
import { Activities } from "./activities.js";
import { AnswerLog } from "./encrypted.js";
import { codeOf, problemOf } from "./failures.js";
import { Messages } from "./messages.js";
import { Run } from "./run.js";
import { ToolCalls } from "./tool_calls.js";

/** @typedef {RunIds & { sendReasoning: boolean, onError: (error: unknown) => string }} Options */

/** @typedef {Pick<Extract<Delta, { type: "finish" }>, "finishReason" | "rawFinishReason">} Finish */

export class AgUiEvents {
  #options;
  #run;
  #messages;
  #tools = new ToolCalls();
  #activities = new Activities();
  /**
   * What was emitted for each step, or for the whole answer if there are no steps.
   *
   * @type {AnswerLog[]}
   */
  #logs = [new AnswerLog()];
  /** Whether the deltas mark the start and end of steps. */
  #isOfRequest = false;
  #isAnswerOver = false;
  #refusal = "";
  /** @type {Finish | undefined} */
  #finish;
  /**
   * An error that was reported before the end.
   *
   * @type {{ error: unknown } | undefined}
   */
  #failure;

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
    this.#run = new Run(options);
    this.#messages = new Messages(options.runId);
  }

  start() {
    return this.#run.start();
  }

  /** Starts a new log, because the following deltas are those of the source, and so of its response. */
  startSource() {
    this.#logs = [new AnswerLog()];
  }

  /**
   * Returns the events that a delta adds.
   *
   * @param {RequestDelta} delta
   * @param {boolean} [isOneAnswer] whether all deltas belong to one answer, even after `finish`
   * @returns {AgUiEvent[]}
   */
  take(delta, isOneAnswer = false) {
    if (isContent(delta)) this.#enterAnswer();
    switch (delta.type) {
      case "text":
      case "refusal":
        return this.#write(delta.type, delta.text);
      case "reasoning":
        return this.#options.sendReasoning ? this.#write("reasoning", delta.text) : [];
      case "tool-call-start":
        return this.#startCall(delta);
      case "tool-call-delta":
        return this.#tools.has(delta.index, delta.id) ? this.#tools.append(delta.index, delta.arguments) : [];
      case "tool-call-end":
        return [...this.#startMissing(delta.index, delta.toolCall), ...this.#tools.end(delta)];
      case "server-tool":
        return this.#serverTool(delta.part);
      case "annotation":
        return [custom("annotation", delta.annotation)];
      case "image":
        return this.#image(delta.part);
      case "audio":
        return this.#audio(delta.part);
      case "usage":
        this.#run.usage.add(delta.usage);
        return [];
      case "finish":
        this.#finish = delta;
        if (isOneAnswer) return [];
        return this.#isOfRequest ? this.#closeAll() : this.#endAnswer();
      case "step-start":
        return this.#startStep(delta.step);
      case "tool-result":
        return this.#toolResult(delta);
      case "step-finish":
        if (delta.usage) this.#run.usage.add(delta.usage);
        return [...this.#endAnswer(), ...this.#run.endStep()];
      case "error":
        this.#failure = { error: delta.error };
        return [];
      case "warning": // All others are for developers.
        return delta.code === "turn-retried" ? this.#retry() : [];
      default: // Clients parse partial JSON themselves.
        return [];
    }
  }

  /**
   * Ends the run after the source is exhausted. An answer that was refused, filtered or cut off has failed.
   *
   * @param {SourceState} state
   * @returns {AgUiEvent[]}
   */
  finish(state) {
    const responses = responsesOf(state);
    const closing = [...this.#endAnswer(), ...this.#encryptedValues(responses)];
    const left = responses.at(-1);
    if (left) closing.push(...this.#tools.withdraw(new Set(left.toolCalls?.map(({ id }) => id)), this.#nextResultId));
    closing.push(...this.#tools.rejectBroken(this.#nextResultId));
    const model = modelOf(responses);
    const isCut = isTruncated(state, this.#finish !== undefined);
    const problem = this.#failure?.error ?? problemOf({ refusal: this.#refusal, finish: this.#finish, isCut });
    if (problem !== undefined) return [...closing, ...this.#run.fail(this.#options.onError(problem), codeOf(problem), model)];
    const { finishReason, rawFinishReason } = this.#finish ?? {};
    const metadata = {
      ...(finishReason !== undefined && { finishReason }),
      ...(rawFinishReason !== undefined && { rawFinishReason }),
    };
    const { pending } = this.#tools;
    /** @type {AgUiOutcome} */
    const outcome = { type: "success", ...(pending.length > 0 && { pendingToolCallIds: pending }) };
    return [...closing, ...this.#run.finish(outcome, model, metadata)];
  }

  /**
   * Ends a run whose source failed.
   *
   * @param {unknown} error
   * @param {SourceState} state
   * @returns {AgUiEvent[]}
   */
  fail(error, { failure }) {
    return [...this.#breakOff(), ...this.#run.fail(this.#options.onError(error), failure?.code ?? codeOf(error))];
  }

  /**
   * Ends a run that was cancelled.
   *
   * @returns {AgUiEvent[]}
   */
  cancel() {
    return [...this.#breakOff(), ...this.#run.finish({ type: "cancelled" })];
  }

  #breakOff() {
    return [...this.#endAnswer(), ...this.#tools.rejectBroken(this.#nextResultId)];
  }

  #nextResultId = () => this.#messages.nextId("result");

  #enterAnswer() {
    if (this.#isAnswerOver) this.#run.usage.startStep();
    this.#isAnswerOver = false;
  }

  /** @returns {AgUiEvent[]} */
  #endAnswer() {
    if (!this.#isAnswerOver) this.#run.usage.endStep();
    this.#isAnswerOver = true;
    return this.#closeAll();
  }

  /** @returns {AgUiEvent[]} */
  #closeAll() {
    return [...this.#messages.endAnswer(), ...this.#tools.endAnswer()];
  }

  /**
   * @param {number} step
   * @returns {AgUiEvent[]}
   */
  #startStep(step) {
    const closed = this.#closeAll();
    this.#enterAnswer();
    this.#isOfRequest = true;
    this.#tools.startStep();
    this.#logs[step] = new AnswerLog();
    return [...closed, ...this.#run.startStep(step)];
  }

  /**
   * Discards the failed attempt: the next one answers instead.
   *
   * @returns {AgUiEvent[]}
   */
  #retry() {
    this.#failure = undefined;
    this.#finish = undefined;
    this.#refusal = "";
    this.#logs[this.#logs.length - 1] = new AnswerLog();
    return [...this.#endAnswer(), ...this.#tools.abandon(this.#nextResultId)];
  }

  get #log() {
    return /** @type {AnswerLog} */ (this.#logs.at(-1));
  }

  /**
   * @param {MessageKind} kind
   * @param {string} text
   */
  #write(kind, text) {
    if (kind === "refusal") this.#refusal += text;
    const { id, events } = this.#messages.write(kind, text);
    if (kind !== "refusal") this.#log.recordText(kind, id, text.length);
    return events;
  }

  /** @param {Pick<Extract<Delta, { type: "tool-call-start" }>, "index" | "id" | "name">} delta */
  #startCall(delta) {
    const closed = this.#messages.close();
    const { id, events } = this.#tools.start(delta, this.#messages.parentId);
    this.#log.recordCall(delta.id, id, this.#messages.parentId);
    return [...closed, ...events];
  }

  /**
   * Starts a call whose start the deltas don't contain.
   *
   * @param {number} index
   * @param {ToolCall} toolCall
   */
  #startMissing(index, { id, name }) {
    return this.#tools.has(index, id) ? [] : this.#startCall({ index, id, name });
  }

  /** @param {Extract<RequestDelta, { type: "tool-result" }>} delta */
  #toolResult(delta) {
    return this.#tools.result(delta, {
      messageId: this.#messages.nextId("result"),
      parentId: () => this.#messages.parentId,
      onError: this.#options.onError,
    });
  }

  /**
   * @param {Extract<ContentPart, { type: "server-tool" }>} part
   * @returns {AgUiEvent[]}
   */
  #serverTool(part) {
    const news = this.#activities.read(part);
    const { id, result } = news;
    const answer = result ? this.#tools.answer(id, result.value, this.#nextResultId) : [];
    const events = answer.length > 0 ? answer : this.#activities.show(news, () => this.#messages.nextId("server-tool"));
    return events.length > 0 ? [...this.#messages.close(), ...events] : [];
  }

  /** @param {Extract<ContentPart, { type: "image" }>} part */
  #image(part) {
    if (isThought(part) && !this.#options.sendReasoning) return [];
    return imageFiles(part).map((file) => custom("image", file));
  }

  /**
   * @param {Extract<ContentPart, { type: "audio" }>} part
   * @returns {AgUiEvent[]}
   */
  #audio({ id, base64, transcript }) {
    const piece = base64 ? [custom("audio", { ...(id !== undefined && { id }), base64 })] : [];
    // The response's text doesn't contain the transcript.
    const written = transcript ? this.#messages.write("text", transcript).events : [];
    return [...piece, ...written];
  }

  /**
   * @param {import("../types/api.js").AnnotatedLlmResponse[]} responses one per log
   * @returns {AgUiEvent[]}
   */
  #encryptedValues(responses) {
    if (!this.#options.sendReasoning) return [];
    const emptyReasoning = () => this.#messages.emptyReasoning();
    return responses.flatMap((response, at) => this.#logs[at]?.encryptedValues(response, emptyReasoning) ?? []);
  }
}

/**
 * Returns an event for data that AG-UI has no type for.
 *
 * @param {string} kind
 * @param {unknown} value
 * @returns {AgUiEvent}
 */
const custom = (kind, value) => ({ type: "CUSTOM", name: `respool.${kind}`, value });

/**
 * Returns the model of all responses; undefined if they differ.
 *
 * @param {readonly { model?: string }[]} responses
 */
function modelOf(responses) {
  const models = new Set(responses.map(({ model }) => model));
  return models.size === 1 ? [...models][0] : undefined;
}
