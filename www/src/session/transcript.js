// The response up to a position in its stream, accumulated from deltas.
import { PartialJson } from "respool";

/** @import { ContentPart, Delta, Failure, FinishReason, ToolCall, ToolCallStatus, Usage, WarningCode } from "respool" */
/** @import { Recording } from "./recording.js" */

/**
 * @typedef {object} Call
 * @property {number} index
 * @property {string} id
 * @property {string} name
 * @property {string} text the arguments so far
 * @property {ToolCallStatus} [status]
 * @property {ToolCall} [toolCall]
 */

export class Choice {
  text = "";
  reasoning = "";
  refusal = "";
  /** @type {Call[]} */
  calls = [];
  /** @type {unknown[]} */
  annotations = [];
  /** Images, speech and server tools. @type {ContentPart[]} */
  parts = [];
  /** @type {FinishReason | undefined} */
  finishReason;
  /** @type {string | undefined} */
  rawFinishReason;

  /** @param {number} index */
  constructor(index) {
    this.index = index;
  }
}

export class Transcript {
  /** @type {Choice[]} */
  choices = [];
  /** @type {Usage | undefined} */
  usage;
  /** @type {Failure | undefined} */
  error;
  /** @type {{ code: WarningCode, message: string }[]} */
  warnings = [];
  /** Number of frames so far. */
  position = 0;
  /** Number of characters of text and of arguments so far. */
  characters = 0;
  #values = new PartialJson();

  /** @param {Recording} [recording] the recording of the deltas */
  constructor(recording) {
    this.recording = recording;
  }

  /** Returns the arguments of a call so far. @param {Call} call @param {number} choice */
  argumentsOf({ index }, choice) {
    return this.#values.get(index, choice);
  }

  /** Applies the deltas of the next frame. @param {Delta[]} deltas */
  advance(deltas) {
    for (const delta of deltas) this.#apply(delta);
    this.position += 1;
  }

  /** @param {Delta} delta */
  #apply(delta) {
    switch (delta.type) {
      case "text":
      case "reasoning":
      case "refusal":
        this.#choice(delta.choice)[delta.type] += delta.text;
        this.characters += delta.text.length;
        break;
      case "tool-call-start":
        this.#choice(delta.choice).calls.push({ index: delta.index, id: delta.id, name: delta.name, text: "" });
        break;
      case "tool-call-delta":
        this.#call(delta).text += delta.arguments;
        this.characters += delta.arguments.length;
        break;
      case "tool-call-end":
        Object.assign(this.#call(delta), { status: delta.status, toolCall: delta.toolCall, text: delta.toolCall.arguments });
        break;
      case "json":
        this.#values.apply(delta);
        break;
      case "annotation":
        this.#choice(delta.choice).annotations.push(delta.annotation);
        break;
      case "server-tool":
      case "image":
      case "audio":
        addOrReplace(this.#choice(delta.choice).parts, delta.part);
        break;
      case "usage":
        this.usage = delta.usage;
        break;
      case "finish":
        Object.assign(this.#choice(delta.choice), { finishReason: delta.finishReason, rawFinishReason: delta.rawFinishReason });
        break;
      case "error":
        this.error ??= delta.error;
        break;
      case "warning":
        this.warnings.push(delta);
        break;
    }
  }

  #choice(index = 0) {
    let choice = this.choices.find((known) => known.index === index);
    if (choice === undefined) {
      choice = new Choice(index);
      this.choices.push(choice);
      this.choices.sort((a, b) => a.index - b.index);
    }
    return choice;
  }

  /** @param {{ index: number, choice?: number }} delta */
  #call({ index, choice }) {
    const { calls } = this.#choice(choice);
    let call = calls.findLast((known) => known.index === index);
    if (call === undefined) {
      call = { index, id: "", name: "", text: "" };
      calls.push(call);
    }
    return call;
  }
}

/**
 * Adds a part, or replaces an earlier version of it, which has the same id.
 *
 * @param {ContentPart[]} parts
 * @param {ContentPart} part
 */
function addOrReplace(parts, part) {
  const id = idOf(part);
  const known = id === undefined ? -1 : parts.findIndex((other) => other.type === part.type && idOf(other) === id);
  if (known < 0) parts.push(part);
  else parts[known] = part;
}

/** @param {ContentPart} part */
const idOf = (part) => ("id" in part ? part.id : undefined);
