// Prints an answer for people: its text as it arrives, with reasoning marked, then tool calls, finish reason and usage.

/** @import { Delta, StreamResult, Usage } from "respool" */
/** @import { Output } from "./output.js" */

import pico from "picocolors";
import { totalTokensOf } from "../js/total_tokens.js";
import { harmless } from "./terminal.js";

/**
 * The data printed at the end of an answer.
 *
 * @typedef {Pick<StreamResult, "toolCalls" | "toolCallStatus" | "ending"> & {
 *   finishReason?: StreamResult["finishReason"] | undefined,
 *   rawFinishReason?: string | undefined,
 *   usage?: Usage | undefined,
 *   response: { model?: string | undefined },
 * }} Facts
 */

export class Transcript {
  #output;
  #colours;
  /**
   * The kind of the last piece. An empty line separates different kinds.
   *
   * @type {string | undefined}
   */
  #kind;
  #endsLine = true;

  /** @param {Output} output */
  constructor(output) {
    this.#output = output;
    this.#colours = pico.createColors(isColoured(output));
  }

  /** @param {Delta} delta */
  delta(delta) {
    switch (delta.type) {
      case "text":
        return this.#piece("text", delta.choice ?? 0, delta.text, (text) => text);
      case "reasoning":
        return this.#piece("reasoning", delta.choice ?? 0, delta.text, this.#colours.dim);
      case "refusal":
        return this.#piece("refusal", delta.choice ?? 0, delta.text, this.#colours.yellow);
      default:
        return undefined;
    }
  }

  /** @param {Facts} result */
  async end(result) {
    const { bold, cyan, dim, red } = this.#colours;
    const lines = result.toolCalls.map(({ id, name, arguments: json }, at) => {
      const status = result.toolCallStatus[at];
      const mark = status === "complete" ? "" : ` ${red(status)}`;
      return `${cyan("→")} ${bold(this.#word(name))} ${this.#safe(json)}${mark} ${dim(this.#word(id))}`;
    });
    const { finishReason, rawFinishReason, usage, ending } = result;
    const reason = typeof finishReason === "object" ? finishReason.unknown : finishReason;
    const words = [
      ...(reason === undefined ? [] : [this.#word(reason)]),
      ...(rawFinishReason === undefined || rawFinishReason === reason ? [] : [`(${this.#word(rawFinishReason)})`]),
      ...(ending === "complete" ? [] : [red(ending)]),
    ].join(" ");
    const facts = [words, this.#word(result.response.model ?? ""), tokens(usage)].filter(Boolean);
    if (facts.length > 0) lines.push(dim(`— ${facts.join(" · ")}`));
    const gap = this.#kind === undefined ? "" : this.#endsLine ? "\n" : "\n\n";
    if (lines.length > 0) await this.#output.write(`${gap}${lines.join("\n")}\n`);
    else if (!this.#endsLine) await this.#output.write("\n");
  }

  /**
   * Prints a piece of text, under a heading if it isn't the text of the first choice.
   *
   * @param {"text" | "reasoning" | "refusal"} type
   * @param {number} choice
   * @param {string} text
   * @param {(text: string) => string} colour
   */
  #piece(type, choice, text, colour) {
    const kind = `${type} ${choice}`;
    let before = "";
    if (kind !== this.#kind) {
      if (this.#kind !== undefined) before = this.#endsLine ? "\n" : "\n\n";
      const heading = [...(type === "text" ? [] : [type]), ...(choice === 0 ? [] : [`choice ${choice}`])].join(", ");
      if (heading !== "") before += this.#colours.dim(`[${heading}]\n`);
      this.#kind = kind;
    }
    this.#endsLine = text.endsWith("\n");
    return this.#output.write(before + colour(this.#safe(text)));
  }

  /** @param {string} text */
  #safe(text) {
    return this.#output.isTerminal ? harmless(text) : text;
  }

  /**
   * Returns text on a single line: with line breaks it could look like output of respool itself.
   *
   * @param {string} text
   */
  #word(text) {
    return this.#output.isTerminal ? harmless(text).replaceAll("\n", "␊") : text;
  }
}

/**
 * Whether colours are used. `FORCE_COLOR=0` turns them off, as it does in Node.
 *
 * @param {Output} output
 */
function isColoured({ isTerminal }) {
  const { FORCE_COLOR, NO_COLOR } = process.env;
  if (NO_COLOR || FORCE_COLOR === "0" || FORCE_COLOR === "false") return false;
  return (isTerminal && pico.isColorSupported) || Boolean(FORCE_COLOR);
}

const USAGE = /** @type {const} */ ([
  ["inputTokens", "in"],
  ["outputTokens", "out"],
  ["reasoningTokens", "reasoning"],
  ["cacheReadTokens", "from cache"],
  ["cacheWriteTokens", "to cache"],
  ["audioTokens", "audio"],
  ["imageTokens", "image"],
  ["totalTokens", "in total"],
]);

/** @param {Usage | undefined} usage */
function tokens(usage) {
  if (usage === undefined) return "";
  const known = { ...usage, totalTokens: totalTokensOf(usage) };
  const counts = USAGE.filter(([name]) => (known[name] ?? 0) > 0).map(([name, word]) => `${known[name]} ${word}`);
  return counts.length === 0 ? "" : `tokens: ${counts.join(", ")}`;
}
