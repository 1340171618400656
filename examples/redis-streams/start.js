// An answer that arrives word by word, a worker that reads it, and a server of pages. Kill the worker: another one
// continues.
import { fork } from "node:child_process";
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import "./server.js";

const PACE_MS = Number(process.env.PACE_MS ?? 500);
const WORDS = "The ferry to Skjervøy leaves at nine from the northern quay, and takes two hours and ten minutes.".split(/(?<= )/);
const EVENTS = [
  ...WORDS.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
].map((event) => `data: ${JSON.stringify(event)}\n\n`);
const BYTES = Buffer.from(EVENTS.join(""));

/** The source, which can be read from any byte. */
const source = createServer(async ({ headers }, response) => {
  let at = Number(/bytes=(\d+)-/.exec(headers.range ?? "")?.[1] ?? 0);
  if (at === BYTES.length) return response.writeHead(416).end();
  response.writeHead(206, { "content-type": "text/event-stream" });
  for (; at < BYTES.length && !response.closed; at += 90) {
    response.write(BYTES.subarray(at, at + 90));
    await setTimeout(PACE_MS);
  }
  response.end();
});

const name = `ferry-${Date.now()}`;
function startWorker() {
  const env = { ...process.env, SOURCE_URL: `http://localhost:${source.address().port}/` };
  const worker = fork(new URL("worker.js", import.meta.url), [name], { env });
  console.log(`Worker ${worker.pid} reads ${name}`);
  worker.on("exit", (code) => code === 0 || setTimeout(PACE_MS).then(startWorker)); // the worker was killed, or lost the source
}
source.listen(0, startWorker);
