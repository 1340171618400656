// An answer as far as it has come: what deltas add up to.
import { PartialJson } from "respool";

const FIRST = 0;

/** @typedef {{ index: number, id: string, name: string, text: string, status?: string, toolCall?: object }} Call */

class Choice {
  text = "";
  reasoning = "";
  refusal = "";
  /** @type {Call[]} */
  calls = [];
  annotations = [];
  /** Images, speech, and tools that the provider ran. */
  parts = [];
  finishReason;
  rawFinishReason;

  constructor(index) {
    this.index = index;
  }
}

export class Transcript {
  choices = [];
  usage;
  error;
  warnings = [];
  /** How many frames it is made of. */
  position = 0;
  #values = new PartialJson();

  choice(index = FIRST) {
    let found = this.choices.find((choice) => choice.index === index);
    if (found === undefined) {
      found = new Choice(index);
      this.choices.push(found);
      this.choices.sort((a, b) => a.index - b.index);
    }
    return found;
  }

  /** The arguments of a call as far as they are known. */
  argumentsOf({ index }, choice) {
    return this.#values.get(index, choice);
  }

  /** Takes in what the next frame gave. */
  advance(deltas) {
    for (const delta of deltas) this.#apply(delta);
    this.position += 1;
  }

  #apply(delta) {
    switch (delta.type) {
      case "text":
      case "reasoning":
      case "refusal":
        this.choice(delta.choice)[delta.type] += delta.text;
        break;
      case "tool-call-start":
        this.choice(delta.choice).calls.push({ index: delta.index, id: delta.id, name: delta.name, text: "" });
        break;
      case "tool-call-delta":
        this.#call(delta).text += delta.arguments;
        break;
      case "tool-call-end":
        Object.assign(this.#call(delta), { status: delta.status, toolCall: delta.toolCall, text: delta.toolCall.arguments });
        break;
      case "json":
        this.#values.apply(delta);
        break;
      case "annotation":
        this.choice(delta.choice).annotations.push(delta.annotation);
        break;
      case "server-tool":
      case "image":
      case "audio":
        this.#part(this.choice(delta.choice).parts, delta.part);
        break;
      case "usage":
        this.usage = delta.usage;
        break;
      case "finish":
        Object.assign(this.choice(delta.choice), { finishReason: delta.finishReason, rawFinishReason: delta.rawFinishReason });
        break;
      case "error":
        this.error ??= delta.error;
        break;
      case "warning":
        this.warnings.push(delta);
        break;
    }
  }

  /** What is told again is told more fully. */
  #part(parts, part) {
    const known = part.id === undefined ? -1 : parts.findIndex(({ id, type }) => id === part.id && type === part.type);
    if (known < 0) parts.push(part);
    else parts[known] = part;
  }

  #call({ index, choice }) {
    const { calls } = this.choice(choice);
    let call = calls.findLast((known) => known.index === index);
    if (call === undefined) {
      call = { index, id: "", name: "", text: "" };
      calls.push(call);
    }
    return call;
  }
}
