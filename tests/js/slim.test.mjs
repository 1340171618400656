// respool/slim without a module: sources that init and initSync reject, and their errors.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { RespoolError } from "respool";
import { ROOT } from "../../scripts/paths.mjs";

const slim = await import("../../pkg/slim.js?without-a-module");

/** Modules that have only some of the functions. */
const PARTIAL = ["respool-core.wasm", "respool-encode.wasm"].map((name) => join(ROOT, "pkg", name)).filter(existsSync);

/** A module that isn't the library's: it has no exports. */
const OTHER = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
const html = () => new Response("<html>Not here</html>");
const invalid = (message) => (error) => {
  assert.ok(RespoolError.isInstance(error), String(error));
  assert.equal(error.code, "invalid-option");
  assert.match(error.message, message);
  return true;
};

describe("init rejects", () => {
  const lost = new TypeError("fetch failed");
  const CASES = {
    "an address that can't be reached": ["http://127.0.0.1:9/respool.wasm", /couldn't be fetched: fetch failed/],
    "the address of a file": ["file:///nowhere/respool.wasm", /couldn't be fetched: .*fetch can't read file: URLs here/],
    "an address that is none": ["respool.wasm", /couldn't be fetched: .*URL/],
    "a failed request": [() => Promise.reject(lost), /couldn't be fetched: fetch failed/],
    "an error page": [() => new Response("", { status: 404 }), /couldn't be fetched: 404/],
    "a page": [html, /isn't a WebAssembly module: it begins with "<html>Not here/],
    "no bytes": [() => new Uint8Array(), /isn't a WebAssembly module: it begins with ""/],
    "a module that is cut": [OTHER.slice(0, 6), /couldn't be compiled: WebAssembly/],
    "another module": [OTHER, /The module can't start, pass respool\/respool\.wasm of this version/],
    "a number": [5, /as a WebAssembly\.Module, its bytes, a URL or a Response, not 5/],
  };
  for (const [name, [source, message]] of Object.entries(CASES)) {
    test(name, () => assert.rejects(slim.init(typeof source === "function" ? source() : source), invalid(message)));
  }

  test("with the cause, but an abort is the user's own", async () => {
    await assert.rejects(slim.init(Promise.reject(lost)), (error) => error.cause === lost);
    await assert.rejects(slim.init(html()), (error) => error.cause instanceof WebAssembly.CompileError);
    const abort = new DOMException("Left", "AbortError");
    await assert.rejects(slim.init(Promise.reject(abort)), (error) => error === abort);
  });
});

test("init with several sources", async () => {
  const { init, decode } = await import("../../pkg/slim.js?several-sources");
  const whole = readFileSync(join(ROOT, "pkg", "respool.wasm"));
  const failing = (message) => init(Promise.reject(new Error(message)));
  // Each one has its own error, and none is an unhandled rejection, which would end the test.
  const refused = await Promise.allSettled([failing("first"), init(html()), failing("third")]);
  for (const [at, message] of [/: first$/, /isn't a WebAssembly module/, /: third$/].entries())
    invalid(message)(refused[at].reason);
  const started = await Promise.allSettled([init(OTHER), init(whole), failing("late")]);
  assert.deepEqual(
    started.map(({ status }) => status),
    ["rejected", "fulfilled", "fulfilled"],
  );
  await failing("ready");
  await new Promise(setImmediate);
  assert.equal(decode({ choices: [{ message: { content: "a" } }] }).message, "a");
});

test("initSync rejects", () => {
  assert.throws(() => slim.initSync(new Uint8Array(4)), invalid(/isn't a WebAssembly module: it begins with "…"/));
  assert.throws(() => slim.initSync(OTHER), invalid(/can't start/));
  assert.notEqual(PARTIAL.length, 0);
  for (const path of PARTIAL) assert.throws(() => slim.initSync(readFileSync(path)), invalid(/lacks functions/));
  assert.throws(() => slim.initSync(html()), invalid(/as a WebAssembly\.Module, or its bytes, not an object/));
});
