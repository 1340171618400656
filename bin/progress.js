// Shows the progress on standard error, as a bar if the sizes are known.
import { statSync } from "node:fs";
import { Presets, SingleBar } from "cli-progress";
import pico from "picocolors";

export class Progress {
  /** @type {import("cli-progress").SingleBar | undefined} */
  #bar;
  #total = 0;
  #read = 0;
  #lines = 0;
  #isShown = false;

  /**
   * The bar is shown only if standard error is a terminal and the output isn't.
   *
   * @param {string[]} files
   * @param {import("./output.js").Output} output
   */
  constructor(files, output) {
    if (!process.stderr.isTTY || output.isTerminal) return;
    this.#total = sizeOf(files);
    const { dim } = pico;
    const format =
      this.#total > 0 ? `{bar} {percentage} % ${dim("·")} {lines} lines ${dim("· {eta_formatted} left")}` : "{lines} lines";
    const options = {
      format,
      hideCursor: true,
      clearOnComplete: true,
      stopOnComplete: false,
      barsize: 28,
      gracefulExit: false,
    };
    this.#bar = new SingleBar(options, Presets.shades_classic);
  }

  /**
   * Counts bytes that were read.
   *
   * @param {number} bytes
   */
  advance(bytes) {
    this.#read += bytes;
  }

  /**
   * Counts lines that were printed.
   *
   * @param {number} count
   */
  addLines(count) {
    this.#lines += count;
    if (this.#bar === undefined) return;
    const lines = this.#lines.toLocaleString("en");
    if (!this.#isShown) this.#bar.start(this.#total || 1, 0, { lines });
    this.#isShown = true;
    this.#bar.update(Math.min(this.#read, this.#total), { lines });
  }

  /** Hides the bar for a message. The next line shows it again. */
  pause() {
    if (this.#isShown) this.#bar?.stop();
    this.#isShown = false;
  }

  end() {
    this.pause();
  }
}

/**
 * Returns the size of all files in bytes; 0 if it is unknown.
 *
 * @param {string[]} files
 */
function sizeOf(files) {
  let total = 0;
  for (const file of files) {
    if (file === "-") return 0;
    try {
      total += statSync(file).size;
    } catch {
      return 0; // reading the file reports the reason
    }
  }
  return total;
}
