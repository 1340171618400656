// All functions that read a source fail in the same way. Each cell of the table in docs/errors.md is run.
//
//   node tests/js/failures.test.mjs --accept     writes the table into docs/errors.md
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import * as respool from "respool";
import * as agUi from "respool/ag-ui";
import * as aiSdk from "respool/ai-sdk";
import { ROOT } from "../../scripts/paths.mjs";
import { closedAddress, startFailingServer } from "../failures/server.mjs";
import { FAULTS, runTable, toMarkdown } from "../failures/table.mjs";

const GUIDE = join(ROOT, "docs", "errors.md");
const TABLE = /(?<=<!-- failures -->\n\n)[\s\S]*?(?=\n<!-- end -->)/;

describe("failures", () => {
  let server;
  let rows;
  const rejections = [];
  const onRejection = (reason) => rejections.push(reason);
  before(async () => {
    process.on("unhandledRejection", onRejection);
    server = await startFailingServer();
    rows = await runTable(respool, { ...aiSdk, ...agUi }, { url: server.url, closed: await closedAddress() });
  });
  after(async () => {
    process.off("unhandledRejection", onRejection);
    await server.close();
  });

  test("the table in the guide", () => {
    const guide = readFileSync(GUIDE, "utf8");
    const table = toMarkdown(rows);
    if (process.argv.includes("--accept"))
      writeFileSync(
        GUIDE,
        guide.replace(TABLE, () => table),
      );
    else assert.equal(TABLE.exec(guide)?.[0], table);
  });

  /** Returns the errors of a column, by function. */
  const errorsOf = (fault) => {
    assert.ok(Object.hasOwn(FAULTS, fault), fault);
    return rows.map(({ name, cells }) => [name, cells.find((cell) => cell.fault === fault).error]);
  };

  test("an HTTP status has its details everywhere", () => {
    for (const [name, error] of errorsOf("HTTP 429")) {
      assert.deepEqual([error.status, error.retryAfter, error.requestId], [429, 7, "req_7"], name);
      assert.match(error.message, /Slow down/, name);
      const { providerType } = error.cause ?? error;
      assert.equal(providerType, "rate", name);
    }
    for (const [name, error] of errorsOf("HTTP 401")) assert.equal((error.cause ?? error).providerCode, "bad_key", name);
    for (const [name, error] of errorsOf("HTTP 502, an HTML page")) assert.match(error.message, /502.*<html>/, name);
  });

  const THROWING = new Set(["streamDeltas", "collect", "tap", "processStream", "processAsync", "convertResponse"]);
  const thrown = (fault) => errorsOf(fault).filter(([name]) => THROWING.has(name));

  test("content before the failure is kept", () => {
    for (const [name, { partial, outcome }] of thrown("connection lost")) {
      assert.deepEqual([partial.text, partial.ending, outcome], ["So far", "truncated", "indeterminate"], name);
    }
    for (const [name, error] of thrown("error event")) {
      assert.deepEqual([error.partial.text, error.partial.ending, error.outcome], ["So far", "failed", "determinate"], name);
      assert.deepEqual([error.message, error.providerType, error.providerCode], ["Overloaded", "server_error", "529"], name);
    }
    for (const [name, error] of thrown("connection refused"))
      if (name !== "tap") assert.equal(error.partial.ending, "truncated", name);
  });

  test("the error for a page says that it is HTML", () => {
    for (const [name, error] of errorsOf("an HTML page"))
      assert.match(error.message, /looks like an HTML .*<!doctype html>/, name);
  });

  test("nothing is an unhandled rejection", async () => {
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(rejections, []);
  });
});

test("a promise that is rejected or never read doesn't become an unhandled rejection", async (t) => {
  const rejections = [];
  const onRejection = (reason) => rejections.push(reason);
  process.on("unhandledRejection", onRejection);
  t.after(() => process.off("unhandledRejection", onRejection));
  const lost = () => Promise.reject(new Error("lost"));
  const invalid = { code: "invalid-option" };
  const aborted = { signal: AbortSignal.abort() };
  const converter = new respool.ModelResponseConverter(lost(), "auto");
  await assert.rejects(respool.parseStructuredOutputAsync(lost(), undefined, { repar: true }), invalid);
  await assert.rejects(respool.parseStructuredOutputAsync(lost(), undefined, aborted), { name: "AbortError" });
  await assert.rejects(respool.castAsync(lost(), undefined, { repar: true }), invalid);
  await new Promise((resolve) => setImmediate(resolve));
  await assert.rejects(converter.invoke(), /lost/);
  assert.deepEqual(rejections, []);
});

test("the partial result of a request that an SDK rejects has failed", async () => {
  const rejected = () => Promise.reject(Object.assign(new Error("Slow down"), { status: 429 }));
  for (const [name, read] of Object.entries({
    collect: (source) => respool.collect(source),
    processAsync: (source) => respool.processAsync({}, source),
    "a converter": (source) => new respool.ModelResponseConverter(source, "auto").invoke(),
  })) {
    const { partial } = await read(rejected()).then(assert.fail, (thrown) => thrown);
    assert.deepEqual([partial.ending, partial.error.message], ["failed", "Slow down"], name);
  }
});

test("retryAfter is the server's delay, in any notation", async (t) => {
  // The clock is stopped: a header has whole seconds, and one may end between writing and reading it.
  t.mock.timers.enable({ apis: ["Date"], now: Date.UTC(2026, 0, 1) });
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  for (const [header, seconds] of [
    ["3", 3],
    ["0.5", 0.5],
    ["3, 3", 3],
    ["-5", undefined],
    ["soon", undefined],
    ["", undefined],
    ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
    [inAnHour, 3600],
  ]) {
    const response = new Response("", { status: 429, headers: { "retry-after": header } });
    const error = await respool.collect(response).then(assert.fail, (thrown) => thrown);
    assert.equal(error.retryAfter, seconds, JSON.stringify(header));
  }
});

test("the headers of an SDK's error", async () => {
  const headers = { "retry-after": "3", "x-request-id": "req_7" };
  const ERRORS = {
    "as an object, like those of openai 4, groq-sdk and together-ai": { status: 429, headers },
    "as Headers, like those of openai and @anthropic-ai/sdk": { status: 429, headers: new Headers(headers) },
    "like those of the AI SDK": { statusCode: 429, responseHeaders: headers },
    "like those of cohere-ai": { statusCode: 429, rawResponse: { headers: new Headers(headers) } },
    "like those of AWS": { $fault: "client", $metadata: { httpStatusCode: 429 }, $response: { headers } },
  };
  for (const [name, members] of Object.entries(ERRORS)) {
    const thrown = Object.assign(new Error("Slow down"), members);
    const error = await respool.collect(Promise.reject(thrown)).then(assert.fail, (reason) => reason);
    assert.deepEqual([error.code, error.status, error.retryAfter, error.requestId], ["http-error", 429, 3, "req_7"], name);
  }
});

test("retryAfter is the delay in Google's body", async () => {
  const details = [
    { "@type": "type.googleapis.com/google.rpc.Help", links: [] },
    { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "45.5s" },
  ];
  const body = JSON.stringify({ error: { code: 429, message: "Slow down", status: "RESOURCE_EXHAUSTED", details } }, null, 2);
  const retryDelay = async (headers) => {
    const error = await respool.collect(new Response(body, { status: 429, headers })).then(assert.fail, (thrown) => thrown);
    return error.retryAfter;
  };
  assert.equal(await retryDelay({}), 45.5);
  assert.equal(await retryDelay({ "retry-after": "7" }), 7);

  // Google's SDK throws the body as a message, often as JSON in JSON.
  for (const message of [body, JSON.stringify({ error: { message: body, code: 429 } })]) {
    const thrown = Object.assign(new Error(message), { name: "ApiError", status: 429 });
    const error = await respool.collect(Promise.reject(thrown)).then(assert.fail, (reason) => reason);
    assert.deepEqual([error.code, error.retryAfter], ["http-error", 45.5]);
  }
});

test("the id of the request may be in the body, where pages can't see the header", async () => {
  const event = { type: "error", error: { type: "overloaded_error", message: "Busy" }, request_id: "req_8" };
  const failed = (headers) => new Response(JSON.stringify(event), { status: 529, headers });
  await assert.rejects(respool.collect(failed()), { name: "ProviderError", requestId: "req_8" });
  await assert.rejects(respool.collect(failed({ "request-id": "req_9" })), { requestId: "req_9" });
  const stream = () => new Response(`event: error\ndata: ${JSON.stringify(event)}\n\n`);
  const expected = { name: "ProviderError", code: "provider-error", requestId: "req_8" };
  await assert.rejects(respool.collect(stream()), expected);
  assert.throws(() => respool.decode(event), expected);
  assert.throws(() => respool.process({}, event), expected);
  await assert.rejects(respool.processAsync({}, Promise.resolve(event)), expected);
});
