// Skips the headers that `curl -i` prints before a response.
import { withoutStart } from "./encoding.js";
import { peek } from "./peek.js";

const BEGINNING = "HTTP/";
const LONGEST_HEAD = 1 << 18;
const HEAD = /^HTTP\/[\d.]+ (\d{3})[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\n/;
const CONTENT_ENCODING = /^content-encoding:[ \t]*([\w-]+)/im;

/**
 * Reads the headers of a response, if there are any. After a redirect or with a proxy there are several heads, and the
 * last one counts.
 *
 * @param {AsyncIterable<Buffer>} reads
 * @returns {Promise<{ status?: number, encoding?: string | undefined, body: AsyncIterable<Buffer> }>} the HTTP status and
 *   the content encoding, and the reads after the headers
 */
export async function readHead(reads) {
  let [start, body] = await peek(reads, BEGINNING.length);
  let found = {};
  while (start.toString("latin1", 0, BEGINNING.length) === BEGINNING) {
    let text = "";
    [start, body] = await peek(body, LONGEST_HEAD, (read) => {
      text += read.toString("latin1");
      return HEAD.test(text);
    });
    const [head, status] = HEAD.exec(start.toString("latin1")) ?? [];
    if (head === undefined) break;
    found = { status: Number(status), encoding: CONTENT_ENCODING.exec(head)?.[1]?.toLowerCase() };
    [start, body] = await peek(withoutStart(body, head.length), BEGINNING.length);
  }
  return { ...found, body };
}
