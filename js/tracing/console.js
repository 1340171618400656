/** A tracing backend that writes readable lines of text. */

/** @import { ConsoleTracerOptions, SpanFactory, TraceSpan } from "../types/api.js" */

import { settling } from "../abort.js";
import { checked } from "../checked.js";
import { openOptions, readCount, readFunction } from "../read_option.js";
import { toJson } from "../runner/tool_result.js";

const STEP = "  ";

const readOptions = checked((/** @type {ConsoleTracerOptions | null | undefined} */ value) => {
  const options = openOptions(value, "options", ["write", "maxLength", "now"]);
  const write = readFunction(options.write, "options.write") ?? console.log;
  return {
    /** @param {string} line */
    write: (line) => void settling(write(line)), // nobody waits for a promise
    maxLength: options.maxLength === Infinity ? Infinity : readCount(options.maxLength ?? 1000, "options.maxLength", 0),
    now: readFunction(options.now, "options.now") ?? (() => performance.now()),
  };
}, "The options");

/**
 * @param {ConsoleTracerOptions} [options]
 * @returns {SpanFactory}
 */
export function consoleTracer(options) {
  const output = readOptions(options);
  return (name, parent) => {
    const { indent } = /** @type {{ indent?: string }} */ (parent ?? {});
    return new ConsoleSpan(name, indent === undefined ? "" : indent + STEP, output);
  };
}

/** @implements {TraceSpan} */
class ConsoleSpan {
  #name;
  #output;
  #startTime;

  /**
   * @param {string} name
   * @param {string} indent
   * @param {Required<ConsoleTracerOptions>} output
   */
  constructor(name, indent, output) {
    this.#name = name;
    this.indent = indent;
    this.#output = output;
    this.#startTime = output.now();
    output.write(`${indent}${name}`);
  }

  /**
   * @param {string} key
   * @param {unknown} value
   */
  emit(key, value) {
    const text = lineOf(value);
    const { maxLength, write } = this.#output;
    const cut = text.length > maxLength ? `${text.slice(0, maxLength)}… (${text.length - maxLength} more characters)` : text;
    write(`${this.indent}${STEP}${key}: ${cut}`);
  }

  end() {
    this.#output.write(`${this.indent}${this.#name} took ${(this.#output.now() - this.#startTime).toFixed(1)} ms`);
  }
}

/**
 * Formats a value on one line; an error as its name and message.
 *
 * @param {unknown} value
 */
function lineOf(value) {
  if (typeof value === "string") return value;
  const { name, message, code, stack } = /** @type {Error & { code?: string }} */ (value ?? {});
  if (stack !== undefined && name !== undefined) return `${name}: ${message}${code ? ` (${code})` : ""}`;
  return toJson(value);
}
