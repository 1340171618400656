// How far reading has come, on standard error: a bar where the sizes are known. None where it would be in the way.
import { statSync } from "node:fs";
import bar from "cli-progress";
import pico from "picocolors";

export class Progress {
  #bar;
  #total;
  #read = 0;
  #lines = 0;
  #isShown = false;

  /** The bar is for those who see standard error and not the results. */
  constructor(files, output) {
    if (!process.stderr.isTTY || output.isTerminal) return;
    this.#total = sizeOf(files);
    const { dim } = pico;
    const how =
      this.#total > 0 ? `{bar} {percentage} % ${dim("·")} {lines} lines ${dim("· {eta_formatted} left")}` : "{lines} lines";
    const options = {
      format: how,
      hideCursor: true,
      clearOnComplete: true,
      stopOnComplete: false,
      barsize: 28,
      gracefulExit: false,
    };
    this.#bar = new bar.SingleBar(options, bar.Presets.shades_classic);
  }

  /** So many bytes were read. */
  advance(bytes) {
    this.#read += bytes;
  }

  /** So many lines have their results. */
  addLines(count) {
    this.#lines += count;
    if (this.#bar === undefined) return;
    const lines = this.#lines.toLocaleString("en");
    if (!this.#isShown) this.#bar.start(this.#total || 1, 0, { lines });
    this.#isShown = true;
    this.#bar.update(Math.min(this.#read, this.#total), { lines });
  }

  /** Makes room for a message; the next line shows the bar again. */
  pause() {
    if (this.#isShown) this.#bar.stop();
    this.#isShown = false;
  }

  end() {
    this.pause();
  }
}

/** The bytes of all files, or 0 where they are not known. */
function sizeOf(files) {
  const sizes = files.map((file) => (file === "-" ? undefined : statSync(file, { throwIfNoEntry: false })?.size));
  return sizes.includes(undefined) ? 0 : sizes.reduce((sum, size) => sum + size, 0);
}
