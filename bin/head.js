// Skips the headers that `curl -i` prints before a response.
import { withoutStart } from "./encoding.js";
import { peek } from "./peek.js";

const BEGINNING = "HTTP/";
const LONGEST_HEAD = 1 << 18;
const HEAD = /^HTTP\/[\d.]+ (\d{3})[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\n/;

/**
 * The reads without headers. There are several heads after a redirect, or with a proxy.
 *
 * @param {AsyncIterable<Buffer>} reads
 * @param {(status: number) => void} onStatus
 * @returns {AsyncGenerator<Buffer>}
 */
export async function* withoutHead(reads, onStatus) {
  let [start, all] = await peek(reads, BEGINNING.length);
  while (start.toString("latin1", 0, BEGINNING.length) === BEGINNING) {
    let text = "";
    [start, all] = await peek(all, LONGEST_HEAD, (read) => {
      text += read.toString("latin1");
      return HEAD.test(text);
    });
    const [head, status] = HEAD.exec(start.toString("latin1")) ?? [];
    if (head === undefined) break;
    onStatus(Number(status));
    [start, all] = await peek(withoutStart(all, head.length), BEGINNING.length);
  }
  yield* all;
}
