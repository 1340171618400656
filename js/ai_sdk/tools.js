/** Calls of tools as chunks of the AI SDK: those that are to be run, and those that the provider runs itself. */

export class ToolChunks {
  /** `{ name, text }` of the calls whose arguments still arrive, by id. */
  #open = new Map();
  /** What was told of the provider's own tools, by id: `{ input, output }` as JSON. */
  #served = new Map();

  start({ id, name }) {
    this.#open.set(id, { name, text: "" });
    return { type: "tool-input-start", toolCallId: id, toolName: name };
  }

  grow({ id, arguments: fragment }) {
    const call = this.#open.get(id);
    if (call === undefined) return [];
    call.text += fragment;
    return [{ type: "tool-input-delta", toolCallId: id, inputTextDelta: fragment }];
  }

  end({ id, name, arguments: text }, status) {
    this.#open.delete(id);
    const call = { toolCallId: id, toolName: name };
    if (status === "complete") return { type: "tool-input-available", ...call, input: JSON.parse(text) };
    const errorText = status === "invalid" ? "The arguments are no JSON." : "The arguments are not whole.";
    return { type: "tool-input-error", ...call, input: text, errorText };
  }

  /** Ends the calls that were begun and never ended. */
  endAll() {
    return [...this.#open].map(([id, { name, text }]) => this.end({ id, name, arguments: text }, "truncated"));
  }

  /** A tool of the provider's comes several times, with more of it each time: only what is new is told. */
  serve({ id = `server-tool-${this.#served.size}`, name, call, result, raw }) {
    const chunks = [];
    const made = { toolCallId: id, providerExecuted: true, dynamic: true };
    const told = this.#served.get(id) ?? { input: undefined, output: undefined };
    const input = JSON.stringify(call ?? {});
    // What only holds the output of a call is no call of its own.
    if (!this.#served.has(id) || (call !== undefined && told.input !== input)) {
      chunks.push({ type: "tool-input-available", ...made, toolName: name, input: call ?? {} });
      told.input = input;
    }
    const output = raw?.status === "in_progress" ? undefined : JSON.stringify(result);
    if (output !== undefined && told.output !== output) {
      chunks.push({ type: "tool-output-available", ...made, output: result });
      told.output = output;
    }
    this.#served.set(id, told);
    return chunks;
  }
}
