// Prints the deltas of a capture as they arrive, then the result.

/** @import { Delta, StreamAccumulator, StreamResult } from "respool" */
/** @import { Capture } from "./capture.mjs" */

/** @typedef {NodeJS.WriteStream} Out */

/** @typedef {ReturnType<typeof createPainter>} Painter */

/**
 * @param {Capture} capture
 * @param {Out} out
 * @param {typeof StreamAccumulator} Accumulator
 * @returns {Promise<number>} the exit code: 1 for a failed or truncated stream
 */
export async function show({ name, chunks }, out, Accumulator) {
  const paint = createPainter(out);
  const accumulator = new Accumulator();
  try {
    out.write(`${paint.dim(`── ${name}`)}\n`);
    const printer = new DeltaPrinter(out, paint);
    for await (const chunk of chunks) {
      for (const delta of accumulator.pushBytes(chunk)) printer.print(delta);
    }
    printer.endLine();
    const result = accumulator.finish();
    printResult(result, out, paint);
    return result.ending === "complete" ? 0 : 1;
  } finally {
    accumulator.free();
  }
}

/** Text continues on its line. Everything else gets its own line. */
class DeltaPrinter {
  #out;
  #paint;
  #isInLine = false;

  /** @param {Out} out @param {Painter} paint */
  constructor(out, paint) {
    this.#out = out;
    this.#paint = paint;
  }

  /** @param {Delta} delta */
  print(delta) {
    switch (delta.type) {
      case "text":
        return this.#continue(delta.text);
      case "reasoning":
      case "refusal":
        return this.#continue(this.#paint.dim(delta.text), delta.text);
      case "tool-call-start":
        return this.#line(this.#paint.bold(`▸ call ${delta.index}: ${delta.name}`) + this.#paint.dim(`  ${delta.id}`));
      case "tool-call-delta":
        return this.#line(`  call ${delta.index} ${this.#paint.dim("+")} ${delta.arguments}`);
      case "tool-call-end":
        return this.#line(this.#paint.dim(`  call ${delta.index} ends: ${delta.status}`));
      case "error":
        return this.#line(`error ${delta.error.code}: ${delta.error.message}`);
      case "warning":
        return this.#line(`warning ${delta.code}: ${delta.message}`);
      default: // usage and finish reason are part of the result
    }
  }

  endLine() {
    if (this.#isInLine) this.#out.write("\n");
    this.#isInLine = false;
  }

  /** @param {string} painted @param {string} text without colours */
  #continue(painted, text = painted) {
    if (text === "") return;
    this.#out.write(painted);
    this.#isInLine = !text.endsWith("\n");
  }

  /** @param {string} text */
  #line(text) {
    this.endLine();
    this.#out.write(`${text}\n`);
  }
}

/** @param {StreamResult} result @param {Out} out @param {Painter} paint */
function printResult({ toolCalls, usage, finishReason, ending, error }, out, paint) {
  /** @param {string} name @param {string} value */
  const row = (name, value) => out.write(`${paint.bold(name.padEnd(14))}${value}\n`);
  out.write(`${paint.dim("── result")}\n`);
  for (const [index, { name, arguments: json, id }] of toolCalls.entries()) {
    row(index === 0 ? "tool calls" : "", `${name}(${json})${paint.dim(`  ${id}`)}`);
  }
  if (usage !== undefined) {
    const counts = Object.entries(usage).filter(([, value]) => typeof value === "number");
    row("usage", counts.map(([name, value]) => `${name} ${value}`).join(", "));
  }
  if (finishReason !== undefined) row("finish reason", typeof finishReason === "string" ? finishReason : finishReason.unknown);
  row("ending", ending);
  if (error !== undefined) row("error", `${error.code}: ${error.message}`);
}

/** @param {Out} out */
function createPainter(out) {
  const hasColours = out.isTTY && process.env.NO_COLOR === undefined;
  const style = (/** @type {number} */ code) => (/** @type {string} */ text) =>
    hasColours ? `\x1b[${code}m${text}\x1b[0m` : text;
  return { dim: style(2), bold: style(1) };
}
