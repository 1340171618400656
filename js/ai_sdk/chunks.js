/** Converts deltas to chunks of the AI SDK's UI message stream. */

/** @import { ContentPart, RequestDelta } from "../types/api.js" */
/** @import { SourceState } from "../delta_source.js" */
/** @import { UIFinishReason, UIMessageChunk, UIMessageStreamOptions } from "../types/ai_sdk.js" */

import { isTruncated, responsesOf, TRUNCATED } from "../delta_source.js";
import { imageFiles, isThought } from "../files.js";
import { isContent } from "../known_deltas.js";
import { requireSync } from "../read_option.js";
import { COMMON_COUNTS, UsageSum } from "../usage_sum.js";
import { Audio } from "./audio.js";
import { Sources } from "./sources.js";
import { ToolChunks } from "./tools.js";

/** @typedef {Pick<UIMessageStreamOptions, "messageId" | "sendReasoning" | "sendSources">
 *   & Required<Pick<UIMessageStreamOptions, "messageMetadata" | "onError" | "version">>
 *   & { isDynamic: (name: string) => boolean }} Options */

/** @type {Record<string, UIFinishReason>} */
const FINISH_REASONS = { complete: "stop", length: "length", tool_use: "tool-calls", content_filter: "content-filter" };

/** The phases of a message. */
const Phase = { IDLE: 0, STEP: 1, STEP_OVER: 2 };

export class UIMessageChunks {
  #options;
  #phase = Phase.IDLE;
  /** Whether the deltas mark the start and end of steps. */
  #isOfRequest = false;
  /**
   * The part that text is appended to.
   *
   * @type {{ type: "text" | "reasoning", id: string } | undefined}
   */
  #part;
  #partCount = 0;
  #tools;
  #usage = new UsageSum();
  #audio = new Audio();
  #sources = new Sources();
  /** @type {UIFinishReason | undefined} */
  #finishReason;
  /**
   * An error of a request that may still be retried: a page stops reading at the first error.
   *
   * @type {{ error: unknown } | undefined}
   */
  #failure;

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
    this.#tools = new ToolChunks({ isDynamic: options.isDynamic, hasApprovals: options.version >= 6 });
  }

  /** @returns {UIMessageChunk<7>} */
  start() {
    const { messageId } = this.#options;
    return { type: "start", ...(messageId !== undefined && { messageId }) };
  }

  /**
   * Returns the chunks that a delta adds.
   *
   * @param {RequestDelta} delta
   * @param {boolean} [isOneAnswer] whether all deltas belong to one answer, even after `finish`
   */
  take(delta, isOneAnswer = false) {
    const chunks = isContent(delta) ? this.#enterStep() : [];
    chunks.push(...this.#chunksOf(delta, isOneAnswer));
    return chunks;
  }

  /**
   * @param {RequestDelta} delta
   * @param {boolean} isOneAnswer
   * @returns {UIMessageChunk<7>[]}
   */
  #chunksOf(delta, isOneAnswer) {
    switch (delta.type) {
      case "text":
      case "refusal":
        return this.#write("text", delta.text);
      case "reasoning":
        return this.#options.sendReasoning === false ? [] : this.#write("reasoning", delta.text);
      case "phase":
        return this.#closePart();
      case "tool-call-start":
        return [...this.#closePart(), this.#tools.start(delta)];
      case "tool-call-delta":
        return this.#tools.append(delta);
      case "tool-call-end":
        return [this.#tools.end(delta.toolCall, delta.status)];
      case "server-tool":
        return [...this.#closePart(), ...this.#tools.serverTool(delta.part)];
      case "annotation":
        return this.#options.sendSources === false ? [] : this.#sources.take(delta.annotation);
      case "image":
        return this.#image(delta.part);
      case "audio":
        return this.#writeAudio(delta.part);
      case "usage":
        this.#usage.add(delta.usage);
        return [];
      case "finish":
        if (this.#finishReason !== "error") this.#finishReason = FINISH_REASONS[String(delta.finishReason)] ?? "other";
        if (isOneAnswer) return [];
        // The tools of a request still run in its step.
        return this.#isOfRequest ? this.#closeAll() : this.#endStep();
      case "step-start":
        this.#isOfRequest = true;
        this.#tools.startStep();
        return this.#enterStep();
      case "tool-result":
        return [this.#tools.result(delta, this.#options.onError)];
      case "step-finish":
        if (delta.usage) this.#usage.add(delta.usage);
        return this.#endStep();
      case "error":
        if (!this.#isOfRequest) return this.fail(delta.error);
        this.#failure = { error: delta.error };
        return [];
      case "warning": // All others are for developers.
        return delta.code === "turn-retried" ? this.#retry() : [];
      default: // The client parses partial JSON itself.
        return [];
    }
  }

  /** Whether the message has an error already. */
  get hasFailed() {
    return this.#finishReason === "error";
  }

  /**
   * Discards the failed attempt: the next one answers instead.
   *
   * @returns {UIMessageChunk<7>[]}
   */
  #retry() {
    this.#failure = undefined;
    if (!this.hasFailed) this.#finishReason = undefined;
    this.#audio.drop();
    return [...this.#endStep(), ...this.#tools.abandon()];
  }

  /**
   * @param {unknown} error
   * @returns {UIMessageChunk<7>[]}
   */
  fail(error) {
    this.#audio.drop();
    return [...this.#closeAll(), this.#errorOf(error)];
  }

  /**
   * Reports an error. From here on the message has failed, whatever follows.
   *
   * @param {unknown} error
   * @returns {UIMessageChunk<7>}
   */
  #errorOf(error) {
    this.#finishReason = "error";
    return { type: "error", errorText: this.#options.onError(error) };
  }

  /**
   * Ends the message. An answer that was cut off has failed.
   *
   * @param {SourceState} state
   * @returns {UIMessageChunk<7>[]}
   */
  finish(state) {
    const isCut = isTruncated(state, this.#finishReason !== undefined);
    const failure = this.#failure ?? (isCut ? { error: TRUNCATED } : undefined);
    const chunks = failure && !this.hasFailed ? this.fail(failure.error) : [];
    if (this.#phase !== Phase.STEP_OVER) chunks.push(...this.#enterStep(), ...this.#endStep());
    const answer = responsesOf(state).at(-1);
    if (answer && !this.hasFailed) chunks.push(...this.#tools.withdraw(new Set(answer.toolCalls?.map(({ id }) => id))));
    const usage = this.#usage.totals(COMMON_COUNTS);
    let messageMetadata;
    try {
      const metadata = this.#options.messageMetadata({
        ...(this.#finishReason && { finishReason: this.#finishReason }),
        ...(usage && { usage }),
        responses: responsesOf(state),
      });
      messageMetadata = requireSync(metadata, "options.messageMetadata");
    } catch (error) {
      // The page needs the end of the message.
      if (!this.hasFailed) chunks.push(this.#errorOf(error));
    }
    const finishReason = this.#finishReason;
    /** @type {UIMessageChunk<7>} */
    const finish = {
      type: "finish",
      ...(finishReason && { finishReason }),
      ...(messageMetadata !== undefined && { messageMetadata }),
    };
    return [...chunks, { type: "finish-step" }, finish];
  }

  /**
   * Ends an aborted message: closes open parts, but emits no `finish`.
   *
   * @returns {UIMessageChunk<7>[]}
   */
  abort() {
    this.#audio.drop();
    return [...this.#closeAll(), { type: "abort" }];
  }

  /**
   * Starts a step, which is one answer. The message of an agent has several.
   *
   * @returns {UIMessageChunk<7>[]}
   */
  #enterStep() {
    if (this.#phase === Phase.STEP) return [];
    const isNext = this.#phase === Phase.STEP_OVER;
    if (isNext) {
      this.#usage.startStep();
      this.#tools.startStep();
    }
    this.#phase = Phase.STEP;
    return isNext ? [{ type: "finish-step" }, { type: "start-step" }] : [{ type: "start-step" }];
  }

  /** Ends a step. Its `finish-step` chunk is held back until it is known whether another step follows. */
  #endStep() {
    if (this.#phase !== Phase.STEP) return [];
    this.#phase = Phase.STEP_OVER;
    this.#usage.endStep();
    return this.#closeAll();
  }

  /**
   * @param {"text" | "reasoning"} type
   * @param {string} delta
   * @returns {UIMessageChunk<7>[]}
   */
  #write(type, delta) {
    if (this.#part?.type === type) return [{ type: `${type}-delta`, id: this.#part.id, delta }];
    const ended = this.#closePart();
    const id = `${type}-${this.#partCount++}`;
    this.#part = { type, id };
    return [...ended, { type: `${type}-start`, id }, { type: `${type}-delta`, id, delta }];
  }

  /**
   * Returns the chunks for an image. One that belongs to the reasoning is shown only if the page's version supports it.
   *
   * @param {Extract<ContentPart, { type: "image" }>} part
   * @returns {UIMessageChunk<7>[]}
   */
  #image(part) {
    const isOfReasoning = isThought(part);
    if (isOfReasoning && (this.#options.version < 7 || this.#options.sendReasoning === false)) return [];
    return imageFiles(part).map((file) => ({ type: isOfReasoning ? "reasoning-file" : "file", ...file }));
  }

  /** @param {Extract<ContentPart, { type: "audio" }>} part */
  #writeAudio(part) {
    this.#audio.add(part);
    return part.transcript ? this.#write("text", part.transcript) : [];
  }

  /** @returns {UIMessageChunk<7>[]} */
  #closePart() {
    if (this.#part === undefined) return [];
    const { type, id } = this.#part;
    this.#part = undefined;
    return [{ type: `${type}-end`, id }];
  }

  /** @returns {UIMessageChunk<7>[]} */
  #closeAll() {
    return [...this.#closePart(), ...this.#tools.endAll(), ...this.#endAudio()];
  }

  /** @returns {UIMessageChunk<7>[]} */
  #endAudio() {
    try {
      const file = this.#audio.take();
      return file ? [{ type: "file", ...file }] : [];
    } catch (error) {
      return [this.#errorOf(error)];
    }
  }
}
