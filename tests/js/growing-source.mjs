// A server whose answer grows under a test's control, and pages that follow the saved deltas.
import { createServer } from "node:http";
import { callChunk, chunk, sseText } from "./answers.mjs";

const EVENTS = [
  ...["The ", "ferry ", "to ", "Skjervøy ", "leaves ", "at ", "nine."].map((word) => chunk(word)),
  callChunk({ id: "a", function: { name: "tide", arguments: '{"port":' } }),
  callChunk({ function: { arguments: '"Skjervøy"}' } }),
  chunk("", "tool_calls"),
];
const BYTES = Buffer.from(sseText(EVENTS).join(""));

/** The text of the answer. */
export const TEXT = "The ferry to Skjervøy leaves at nine.";

/** Starts a source that can be read from any byte, up to a byte that the test sets. */
export async function startSource() {
  const ranges = [];
  const waiting = new Set();
  let there = 0;
  let isOver = false;
  let hasRanges = true;
  const server = createServer(async (request, response) => {
    const from = hasRanges ? Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0) : 0;
    ranges.push(from);
    if (isOver && from === BYTES.length) return response.writeHead(416).end();
    response.writeHead(hasRanges ? 206 : 200, { "content-type": "text/event-stream" });
    for (let at = from; at < BYTES.length || !isOver; ) {
      if (at < there) {
        response.write(BYTES.subarray(at, there));
        at = there;
      } else {
        await new Promise((resolve) => {
          waiting.add(resolve);
          response.on("close", resolve);
        });
        if (response.closed) return;
      }
    }
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const wake = () => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  return {
    ranges,
    size: BYTES.length,
    url: `http://127.0.0.1:${server.address().port}/`,
    /** Makes a part of the answer available, from 0 to 1. */
    reach(part) {
      there = Math.floor(BYTES.length * part);
      wake();
    },
    /** Makes the whole answer available, and ends connections after it. */
    end() {
      there = BYTES.length;
      isOver = true;
      wake();
    },
    /** From now on, range requests are ignored, so that each response is the whole answer. */
    forgetRanges() {
      hasRanges = false;
    },
    /** Closes all connections. */
    lose() {
      server.closeAllConnections();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns a page that reads server-sent deltas. @param {Response} response */
export function followDeltas({ body }) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const deltas = [];
  let text = "";
  /** Reads until the condition holds, or to the end. */
  const until = async (holds) => {
    while (!holds(deltas)) {
      const { done, value } = await reader.read();
      if (done) return deltas;
      text += decoder.decode(value, { stream: true });
      const events = text.split("\n\n");
      text = events.pop();
      const data = events.filter((event) => event.startsWith("data: "));
      deltas.push(...data.map((event) => JSON.parse(event.slice(6))));
    }
    return deltas;
  };
  return { until, toEnd: () => until(() => false), leave: () => reader.cancel() };
}

/** Returns the text in deltas. */
export const textOf = (deltas) => deltas.map((delta) => (delta.type === "text" ? delta.text : "")).join("");
export const typesOf = (deltas) => deltas.map(({ type }) => type);
