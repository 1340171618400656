// Standard output: written at the pace at which it is read, and left silently when nobody reads on.
import { once } from "node:events";
import { harmless, harmlessJson } from "./terminal.js";

export class Output {
  #stream;

  constructor(stream) {
    this.#stream = stream;
    stream.on("error", (error) => {
      if (error.code !== "EPIPE") throw error;
      process.exit(process.exitCode ?? 0); // whoever read has seen enough
    });
  }

  get isTerminal() {
    return this.#stream.isTTY === true;
  }

  /** Resolves once more may be written. */
  async write(data) {
    if (data.length > 0 && !this.#stream.write(data)) await once(this.#stream, "drain");
  }

  /** The same for text that is not this program's own. */
  writeText(text) {
    return this.write(this.isTerminal ? harmless(text) : text);
  }

  /** The same for JSON, as text or bytes: it is told to the letter, except to a terminal. */
  writeJson(json) {
    return this.write(this.isTerminal ? harmlessJson(String(typeof json === "string" ? json : Buffer.from(json))) : json);
  }
}
