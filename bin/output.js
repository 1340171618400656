// Standard output. Writes wait until it is drained, and the process ends silently if the reader closes it.
import { once } from "node:events";
import { printError } from "./ending.js";
import { harmless, harmlessJson } from "./terminal.js";

export class Output {
  #stream;

  /** @param {NodeJS.WriteStream} stream */
  constructor(stream) {
    this.#stream = stream;
    stream.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "EPIPE") process.exit(process.exitCode ?? 0); // the reader has closed the pipe
      printError(`the output can't be written: ${error.message}`);
      process.exit(1); // for example, the disk is full: all further output would be lost, too
    });
  }

  get isTerminal() {
    return this.#stream.isTTY === true;
  }

  /**
   * Writes data. Resolves when more can be written.
   *
   * @param {string | Uint8Array} data
   */
  async write(data) {
    if (data.length > 0 && !this.#stream.write(data)) await once(this.#stream, "drain");
  }

  /**
   * Writes text from a model or a server.
   *
   * @param {string} text
   */
  writeText(text) {
    return this.write(this.isTerminal ? harmless(text) : text);
  }

  /**
   * Writes JSON. Control characters in it are escaped on a terminal only.
   *
   * @param {string | Uint8Array} json
   */
  writeJson(json) {
    return this.write(this.isTerminal ? harmlessJson(String(typeof json === "string" ? json : Buffer.from(json))) : json);
  }
}
