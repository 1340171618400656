/** A backend for people: what is traced as lines of text. */

import { checked } from "../checked.js";
import { textOf as jsonOf } from "../runner/tool_result.js";

const STEP = "  ";

const readOptions = checked(
  ({ write = console.log, maxLength = 1000, now = () => performance.now() }) => ({ write, maxLength, now }),
  "the options",
);

export function consoleTracer(options) {
  const output = readOptions(options ?? {});
  return (name, parent) => new ConsoleSpan(name, parent?.indent === undefined ? "" : parent.indent + STEP, output);
}

class ConsoleSpan {
  #name;
  #output;
  #started;

  constructor(name, indent, output) {
    this.#name = name;
    this.indent = indent;
    this.#output = output;
    this.#started = output.now();
    output.write(`${indent}${name}`);
  }

  emit(key, value) {
    const text = textOf(value);
    const { maxLength, write } = this.#output;
    const cut = text.length > maxLength ? `${text.slice(0, maxLength)}… (${text.length - maxLength} more characters)` : text;
    write(`${this.indent}${STEP}${key}: ${cut}`);
  }

  end() {
    this.#output.write(`${this.indent}${this.#name} took ${(this.#output.now() - this.#started).toFixed(1)} ms`);
  }
}

/** One line; errors by what they are called and say. */
function textOf(value) {
  if (typeof value === "string") return value;
  if (value?.stack !== undefined && value.name !== undefined)
    return `${value.name}: ${value.message}${value.code ? ` (${value.code})` : ""}`;
  return jsonOf(value);
}
