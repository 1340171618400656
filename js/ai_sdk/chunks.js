/** Deltas as chunks of the AI SDK's UI message stream. */

import { audioChunk, imageChunks, sourceOf } from "./files.js";
import { ToolChunks } from "./tools.js";
import { UsageSum } from "./usage.js";

const FINISH_REASONS = { complete: "stop", length: "length", tool_use: "tool-calls", content_filter: "content-filter" };

/** What adds to the message, so that a step begins with it. */
const CONTENT = new Set(["text", "reasoning", "refusal", "tool-call-start", "annotation", "server-tool", "image", "audio"]);

/** Where a message is. */
const Phase = { IDLE: 0, STEP: 1, STEP_OVER: 2 };

export class UIMessageChunks {
  #options;
  #phase = Phase.IDLE;
  /** The part that text goes into: `{ type, id }`. */
  #part;
  #parts = 0;
  #tools = new ToolChunks();
  #usage = new UsageSum();
  #audio = [];
  #sources = new Set();
  #finishReason;

  constructor(options) {
    this.#options = options;
  }

  start() {
    const { messageId } = this.#options;
    return { type: "start", ...(messageId !== undefined && { messageId }) };
  }

  /** What a delta adds. */
  take(delta) {
    if (delta.choice) return [];
    const chunks = CONTENT.has(delta.type) ? this.#enterStep() : [];
    chunks.push(...this.#chunksOf(delta));
    return chunks;
  }

  #chunksOf(delta) {
    switch (delta.type) {
      case "text":
      case "refusal":
        return this.#write("text", delta.text);
      case "reasoning":
        return this.#options.sendReasoning === false ? [] : this.#write("reasoning", delta.text);
      case "tool-call-start":
        return [...this.#closePart(), this.#tools.start(delta)];
      case "tool-call-delta":
        return this.#tools.grow(delta);
      case "tool-call-end":
        return [this.#tools.end(delta.toolCall, delta.status)];
      case "server-tool":
        return [...this.#closePart(), ...this.#tools.serve(delta.part)];
      case "annotation":
        return this.#cite(delta.annotation);
      case "image":
        return imageChunks(delta.part);
      case "audio":
        if (delta.part.base64) this.#audio.push(delta.part.base64);
        return delta.part.transcript ? this.#write("text", delta.part.transcript) : [];
      case "usage":
        this.#usage.add(delta.usage);
        return [];
      case "finish":
        if (this.#finishReason !== "error") this.#finishReason = FINISH_REASONS[delta.finishReason] ?? "other";
        return this.#endStep();
      case "error":
        return this.fail(delta.error);
      case "warning": // Others are for developers.
        return delta.code === "turn-retried" ? this.#endStep() : [];
      default: // Partial JSON is made by the client.
        return [];
    }
  }

  fail(error) {
    return [...this.#closeAll(), this.#errorOf(error)];
  }

  /** After it the message is one that failed, whatever follows. */
  #errorOf(error) {
    this.#finishReason = "error";
    return { type: "error", errorText: this.#options.onError(error) };
  }

  /** The end of the message. */
  finish() {
    const chunks = this.#phase === Phase.STEP_OVER ? [] : [...this.#enterStep(), ...this.#endStep()];
    const finishReason = this.#finishReason;
    const usage = this.#usage.total;
    const messageMetadata = this.#options.messageMetadata({ finishReason, usage });
    const finish = {
      type: "finish",
      ...(finishReason && { finishReason }),
      ...(messageMetadata !== undefined && { messageMetadata }),
    };
    return [...chunks, { type: "finish-step" }, finish];
  }

  /** The end where somebody left: what is open is ended, and nothing is finished. */
  abort() {
    return [...this.#closeAll(), { type: "abort" }];
  }

  /** A step is one answer; the message of an agent has several. */
  #enterStep() {
    if (this.#phase === Phase.STEP) return [];
    const isNext = this.#phase === Phase.STEP_OVER;
    if (isNext) this.#usage.startStep();
    this.#phase = Phase.STEP;
    return isNext ? [{ type: "finish-step" }, { type: "start-step" }] : [{ type: "start-step" }];
  }

  /** The chunk that ends the step waits: whether another one follows is not known yet. */
  #endStep() {
    if (this.#phase !== Phase.STEP) return [];
    this.#phase = Phase.STEP_OVER;
    this.#usage.endStep();
    return this.#closeAll();
  }

  #write(type, delta) {
    const isOpen = this.#part?.type === type;
    const chunks = isOpen ? [] : this.#closePart();
    if (!isOpen) {
      this.#part = { type, id: `${type}-${this.#parts++}` };
      chunks.push({ type: `${type}-start`, id: this.#part.id });
    }
    chunks.push({ type: `${type}-delta`, id: this.#part.id, delta });
    return chunks;
  }

  #closePart() {
    if (this.#part === undefined) return [];
    const { type, id } = this.#part;
    this.#part = undefined;
    return [{ type: `${type}-end`, id }];
  }

  #closeAll() {
    const chunks = [...this.#closePart(), ...this.#tools.endAll()];
    const audio = this.#audio;
    this.#audio = [];
    if (audio.length > 0) chunks.push(this.#fileOf(audio));
    return chunks;
  }

  #fileOf(audio) {
    try {
      return audioChunk(audio);
    } catch (error) {
      return this.#errorOf(error); // it is no base64
    }
  }

  /** A source is told once, however often it is cited. */
  #cite(annotation) {
    const source = this.#options.sendSources === false ? undefined : sourceOf(annotation);
    const name = source?.url ?? source?.title;
    if (source === undefined || this.#sources.has(name)) return [];
    this.#sources.add(name);
    return [{ ...source, sourceId: `source-${this.#sources.size - 1}` }];
  }
}
