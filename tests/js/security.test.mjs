// The promises of SECURITY.md that no other test covers.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  PartialJson,
  StreamAccumulator,
  decode,
  extractToolCalls,
  parsePartialJson,
  parseToolArguments,
  process,
  tracer,
} from "respool";
import { build } from "esbuild";
import { ROOT } from "../../scripts/paths.mjs";
import { callChunk, chunk, sseBytes } from "./answers.mjs";

const read = (path) => readFileSync(join(ROOT, path), "utf8");

describe("access", () => {
  for (const file of ["slim.js", "slim.cjs", "node.js", "node.cjs"]) {
    test(`pkg/${file} doesn't use files, storage or eval`, () => {
      const code = read(`pkg/${file}`).replaceAll('"#module-fast"', '"./module-fast.js"');
      assert.ok(code.length > 10_000);
      assert.doesNotMatch(code, /\brequire\((?!"\.\/)|\bfrom ?["'](?!\.\/)|\bimport\(|["']node:/);
      assert.doesNotMatch(code, /\beval\(|\bnew Function\b|\bFunction\(["'`]/);
      assert.doesNotMatch(code, /\b(?:localStorage|sessionStorage|indexedDB|XMLHttpRequest|WebSocket|sendBeacon)\b/);
    });
  }

  test("pkg/index.js and pkg/node.js import nothing but files beside them", async () => {
    const entryPoints = ["pkg/index.js", "pkg/node.js"];
    const { metafile } = await build({
      absWorkingDir: ROOT,
      entryPoints,
      outdir: ".",
      format: "esm",
      bundle: true,
      write: false,
      metafile: true,
    });
    assert.deepEqual(
      Object.keys(metafile.inputs).sort(),
      ["index", "module-fast-text", "module-fast", "module", "node", "slim"].map((name) => `pkg/${name}.js`),
    );
  });

  test("in Node, the only file that is read is the module", () => {
    for (const file of ["module-fast-file.js", "module-fast-file.cjs"]) {
      assert.deepEqual(read(`pkg/${file}`).match(/readFileSync\([^;]*/g)?.length, 1, file);
      assert.match(read(`pkg/${file}`), /readFileSync\(.*"(?:\.\/)?respool-fast\.wasm"/, file);
    }
  });

  test("the module only imports the functions of its glue", () => {
    const module = new WebAssembly.Module(readFileSync(join(ROOT, "pkg/respool.wasm")));
    const given = WebAssembly.Module.imports(module);
    assert.ok(given.length > 0);
    assert.deepEqual([...new Set(given.map(({ kind }) => kind))], ["function"]);
    const from = new Set(given.map(({ module: name }) => name));
    assert.deepEqual([...from].sort(), ["../../js/host.js", "./respool_bg.js"]);
  });

  test("only the boundary contains unsafe code", () => {
    const files = readdirSync(join(ROOT, "src"), { recursive: true }).filter((name) => name.endsWith(".rs"));
    assert.ok(files.length > 50);
    const unsafe = files.filter((name) => /\bunsafe\b|allow\(.*unsafe_code/.test(read(`src/${name}`).replace(/\/\/.*$/gm, "")));
    assert.deepEqual(
      unsafe.filter((name) => !/^wasm[/\\]|^lib\.rs$/.test(name)),
      [],
    );
    assert.match(read("Cargo.toml"), /^unsafe_code = "deny"/m);
  });
});

describe("names of prototypes are data", () => {
  const NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
  const before = Reflect.ownKeys(Object.prototype).length;
  const check = (what) => {
    assert.equal(Reflect.ownKeys(Object.prototype).length, before, what);
    assert.equal({}.polluted, undefined, what);
    assert.equal(Function.prototype.polluted, undefined, what);
  };

  for (const name of NAMES) {
    const json = `{"${name}":{"polluted":1},"a":{"${name}":{"polluted":2}}}`;

    test(`${name} in arguments, ids and names of tools`, () => {
      const accumulator = new StreamAccumulator({ partialJson: true });
      const live = new PartialJson();
      const deltas = [
        { id: name, function: { name, arguments: "" } },
        ...[...json].map((text) => ({ function: { arguments: text } })),
      ].flatMap((fragment) => accumulator.push(callChunk(fragment)));
      for (const delta of deltas) live.apply(delta);
      const { toolCalls } = accumulator.finish();
      accumulator.free();
      assert.deepEqual(toolCalls, [{ id: name, name, arguments: json }]);
      const [action] = parseToolArguments(toolCalls);
      for (const value of [action.arguments, live.get(0), parsePartialJson(json).value]) {
        assert.deepEqual(Object.getOwnPropertyDescriptor(value, name).value, { polluted: 1 });
        assert.equal(value.polluted, undefined);
      }
      check("calls");
    });

    test(`${name} as an unknown field`, () => {
      const body = `{"choices":[{"message":{"content":"a","${name}":{"polluted":1}}}],"${name}":{"polluted":1}}`;
      const { extra } = decode(body);
      assert.deepEqual(Object.getOwnPropertyDescriptor(extra, name)?.value, { polluted: 1 });
      assert.equal(extra.polluted, undefined);
      const accumulator = new StreamAccumulator();
      accumulator.pushBytes(
        new TextEncoder().encode(`data: {"choices":[{"delta":{"content":"a"}}],"${name}":{"polluted":1}}\n\n`),
      );
      assert.equal(accumulator.finish().text, "a");
      accumulator.free();
      const emitted = [];
      tracer.add("list", () => ({ emit: (_key, value) => emitted.push(value), end() {} }));
      process({}, body);
      tracer.clear();
      assert.ok(emitted.length > 0);
      check("members");
    });
  }
});

describe("what counts as a call", () => {
  const WRITTEN = 'So: <tool_call>{"name": "ferry", "arguments": {"port": "Bodø"}}</tool_call>';
  const read = (options) => {
    const accumulator = new StreamAccumulator(options);
    accumulator.pushBytes(sseBytes([chunk(WRITTEN), chunk("", "stop")]));
    const { toolCalls, text } = accumulator.finish();
    accumulator.free();
    return { names: toolCalls.map(({ name }) => name), text };
  };

  test("text is never a call without the option", () => {
    assert.deepEqual(read({}), { names: [], text: WRITTEN });
    assert.equal(process({}, { choices: [{ message: { content: WRITTEN } }] }), WRITTEN);
  });

  test("with the option, only calls to declared tools count", () => {
    assert.deepEqual(read({ textToolCalls: { tools: [{ name: "ferry" }] } }).names, ["ferry"]);
    assert.deepEqual(read({ textToolCalls: { tools: [{ name: "weather" }] } }), { names: [], text: WRITTEN });
    assert.deepEqual(extractToolCalls(WRITTEN, { tools: [] }).toolCalls, []);
  });

  test("a truncated call is never complete", () => {
    for (const text of ["", "{", '{"port":"Bo', '{"port":"Bodø"']) {
      const accumulator = new StreamAccumulator();
      accumulator.push(callChunk({ id: "c", function: { name: "ferry", arguments: text } }));
      const { toolCallStatus, ending } = accumulator.finish();
      accumulator.free();
      assert.deepEqual([toolCallStatus, ending], [["truncated"], "truncated"], text);
    }
  });
});

test("releases are published with provenance", () => {
  const workflows = readdirSync(join(ROOT, ".github/workflows")).map((name) => read(`.github/workflows/${name}`));
  const publishing = workflows.filter((text) => /npm publish/.test(text));
  assert.equal(publishing.length, 1);
  assert.match(publishing[0], /npm publish --provenance/);
  assert.match(publishing[0], /id-token: write/);
});
