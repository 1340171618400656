// examples/durable-object/ in workerd, with the storage of real Durable Objects: it is killed mid-stream and continues.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { PKG, ROOT } from "../../scripts/paths.mjs";
import { followDeltas, startSource, TEXT, textOf, typesOf } from "./growing-source.mjs";

const EXAMPLE = join(ROOT, "examples", "durable-object");
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

/** Returns a page that reads the answer. */
const join_ = async (miniflare) => followDeltas(await miniflare.dispatchFetch("http://localhost/answer"));

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
    source.end();
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

test("a page loses its connection when the source is lost, and continues when it reconnects", async () => {
  const folder = mkdtempSync(join(tmpdir(), "respool-answers-"));
  const source = await startSource();
  const miniflare = await startWorker(source, folder);
  try {
    const first = await join_(miniflare);
    source.reach(0.3);
    const known = await first.until((deltas) => textOf(deltas).length > 0);
    source.lose();
    await first.toEnd().catch(() => {}); // not every runtime tells the client that the body was cut off
    assert.ok(!typesOf(known).includes("finish"));

    const again = await join_(miniflare);
    source.end();
    assert.equal(textOf(await again.toEnd()), TEXT);
    assert.ok(source.ranges.length === 2 && source.ranges[1] > 0, `${source.ranges}: nothing is read twice`);
  } finally {
    await miniflare.dispose();
    source.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("an object that was killed after the last byte ends the answer", async () => {
  const folder = mkdtempSync(join(tmpdir(), "respool-answers-"));
  const source = await startSource();
  let miniflare = await startWorker(source, folder);
  try {
    const first = await join_(miniflare);
    source.reach(1);
    await first.until((deltas) => typesOf(deltas).includes("finish"));

    await miniflare.dispose();
    source.end();
    miniflare = await startWorker(source, folder);
    const all = await (await join_(miniflare)).toEnd();
    assert.equal(textOf(all), TEXT);
    assert.deepEqual(typesOf(all).slice(-2), ["tool-call-end", "finish"]);
    assert.deepEqual(source.ranges, [0, source.size]);
  } finally {
    await miniflare.dispose();
    source.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
