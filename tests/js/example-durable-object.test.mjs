// examples/durable-object/ in workerd, with the storage of real Durable Objects: it is killed in the middle and goes on.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { PKG, ROOT } from "../../scripts/paths.mjs";
import { callChunk, chunk, sseText } from "./answers.mjs";

const EXAMPLE = join(ROOT, "examples", "durable-object");
const EVENTS = [
  ...["The ", "ferry ", "to ", "Skjervøy ", "leaves ", "at ", "nine."].map((word) => chunk(word)),
  callChunk({ id: "a", function: { name: "tide", arguments: '{"port":' } }),
  callChunk({ function: { arguments: '"Skjervøy"}' } }),
  chunk("", "tool_calls"),
];
const BYTES = Buffer.from(sseText(EVENTS).join(""));
const TEXT = "The ferry to Skjervøy leaves at nine.";

/** A source that can be read from any byte on, and has come to a byte that the test sets. */
async function startSource() {
  const ranges = [];
  const waiting = new Set();
  let there = 0;
  const server = createServer(async (request, response) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    ranges.push(from);
    response.writeHead(206, { "content-type": "text/event-stream" });
    for (let at = from; at < BYTES.length; ) {
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
  return {
    ranges,
    url: `http://127.0.0.1:${server.address().port}/`,
    /** Bytes up to here have come. */
    reach(part) {
      there = Math.floor(BYTES.length * part);
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function startWorker(source, folder) {
  const { outputFiles } = await build({
    entryPoints: [join(EXAMPLE, "worker.js")],
    bundle: true,
    format: "esm",
    write: false,
    alias: { respool: join(PKG, "workerd.js") },
    external: ["cloudflare:workers", "*.wasm"],
  });
  return new Miniflare({
    compatibilityDate: "2026-01-01",
    bindings: { SOURCE_URL: source.url },
    durableObjects: { ANSWERS: { className: "Answer", useSQLite: true } },
    durableObjectsPersist: folder,
    modules: [
      { type: "ESModule", path: "worker.mjs", contents: outputFiles[0].text },
      { type: "CompiledWasm", path: "respool.wasm", contents: readFileSync(join(PKG, "respool.wasm")) },
    ],
  });
}

/** A page: the deltas that it has got. */
async function join_(miniflare) {
  const response = await miniflare.dispatchFetch("http://localhost/answer");
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const deltas = [];
  let text = "";
  /** Reads until this holds, or to the end. */
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
  return { until, toEnd: () => until(() => false) };
}

const textOf = (deltas) => deltas.map((delta) => (delta.type === "text" ? delta.text : "")).join("");
const typesOf = (deltas) => deltas.map(({ type }) => type);

test("pages join at any time, also after the object was killed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "respool-answers-"));
  const source = await startSource();
  let miniflare = await startWorker(source, folder);
  try {
    const first = await join_(miniflare);
    source.reach(0.3);
    const known = textOf(await first.until((deltas) => textOf(deltas).length > 0));
    assert.ok(TEXT.startsWith(known) && known !== TEXT, known);

    const second = await join_(miniflare);
    const [there] = await second.until((deltas) => deltas.length > 0);
    assert.deepEqual(there, { type: "text", text: known }, "all that is there is one delta");
    source.reach(0.6);
    const isFurther = (deltas) => textOf(deltas).length > known.length;
    assert.equal(textOf(await first.until(isFurther)), textOf(await second.until(isFurther)));

    await miniflare.dispose();
    miniflare = await startWorker(source, folder);
    const third = await join_(miniflare);
    source.reach(1);
    const all = await third.toEnd();
    assert.equal(textOf(all), TEXT);
    assert.deepEqual(typesOf(all).slice(-2), ["tool-call-end", "finish"]);
    assert.equal(source.ranges[0], 0);
    assert.ok(source.ranges.length === 2 && source.ranges[1] > 0, `${source.ranges}: nothing is read twice`);

    const last = await (await join_(miniflare)).toEnd();
    assert.deepEqual(typesOf(last), ["text", "tool-call-start", "tool-call-delta", "tool-call-end", "finish"]);
    assert.equal(textOf(last), TEXT);
  } finally {
    await miniflare.dispose();
    source.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
