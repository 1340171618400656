// Shows the deltas of a capture as they come, then what they add up to.

/** Resolves with the exit code: 1 when the stream failed or was cut off. */
export async function show({ name, reads }, out, StreamAccumulator) {
  const paint = painter(out);
  const accumulator = new StreamAccumulator();
  try {
    out.write(`${paint.dim(`── ${name}`)}\n`);
    const printer = new DeltaPrinter(out, paint);
    for await (const read of reads) {
      for (const delta of accumulator.pushBytes(read)) printer.print(delta);
    }
    printer.endLine();
    const result = accumulator.finish();
    printResult(result, out, paint);
    return result.ending === "complete" ? 0 : 1;
  } finally {
    accumulator.free();
  }
}

/** Text runs on in its line; everything else gets a line of its own. */
class DeltaPrinter {
  #out;
  #paint;
  #inLine = false;

  constructor(out, paint) {
    this.#out = out;
    this.#paint = paint;
  }

  print(delta) {
    switch (delta.type) {
      case "text":
        return this.#run(delta.text);
      case "reasoning":
      case "refusal":
        return this.#run(this.#paint.dim(delta.text), delta.text);
      case "tool-call-start":
        return this.#line(this.#paint.bold(`▸ call ${delta.index}: ${delta.name}`) + this.#paint.dim(`  ${delta.id}`));
      case "tool-call-delta":
        return this.#line(`  call ${delta.index} ${this.#paint.dim("+")} ${delta.arguments}`);
      case "tool-call-end":
        return this.#line(this.#paint.dim(`  call ${delta.index} ends, ${delta.status}`));
      case "error":
        return this.#line(`error ${delta.error.code}: ${delta.error.message}`);
      case "warning":
        return this.#line(`warning ${delta.code}: ${delta.message}`);
      default: // usage and finish are in the result
    }
  }

  endLine() {
    if (this.#inLine) this.#out.write("\n");
    this.#inLine = false;
  }

  #run(shown, text = shown) {
    if (text === "") return;
    this.#out.write(shown);
    this.#inLine = !text.endsWith("\n");
  }

  #line(text) {
    this.endLine();
    this.#out.write(`${text}\n`);
  }
}

function printResult(result, out, paint) {
  const row = (name, value) => out.write(`${paint.bold(name.padEnd(14))}${value}\n`);
  out.write(`${paint.dim("── result")}\n`);
  result.toolCalls.forEach((call, i) => {
    row(i === 0 ? "tool calls" : "", `${call.name}(${call.arguments})${paint.dim(`  ${call.id}`)}`);
  });
  if (result.usage !== undefined) {
    const counts = Object.entries(result.usage).filter(([, value]) => typeof value === "number");
    row("usage", counts.map(([name, value]) => `${name} ${value}`).join(", "));
  }
  if (result.finishReason !== undefined) {
    row("finish reason", typeof result.finishReason === "string" ? result.finishReason : result.finishReason.unknown);
  }
  row("ending", result.ending);
  if (result.error !== undefined) row("error", `${result.error.code}: ${result.error.message}`);
}

function painter(out) {
  const colours = out.isTTY && process.env.NO_COLOR === undefined;
  const style = (code) => (text) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);
  return { dim: style(2), bold: style(1) };
}
