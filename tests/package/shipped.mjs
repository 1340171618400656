// The files of the package as users see them: in an editor, a debugger and a terminal.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

/** Maximum length of a line, except in data files, in which nothing can throw. */
const MAX_LINE = 500;
/** The data files with modules, and the file that reads one. */
const DATA = /^pkg\/module(-\w+)*\.c?js$/;

/** Maximum number of bytes that an uncaught error prints. */
const MAX_OUTPUT = 2000;

/** Checks the package that is installed in a folder. @param {{ folder: string }} consumer */
export async function checkShipped({ folder }) {
  const root = join(folder, "node_modules", "respool");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  const code = files.filter((name) => /^pkg\/.*\.c?js$/.test(name) && !DATA.test(name));
  assert.ok(code.length > 10);
  for (const name of code) checkCode(root, name);
  for (const name of files.filter((name) => /^pkg\/.*\.d\.c?ts$/.test(name)))
    checkLines(name, readFileSync(join(root, name), "utf8"));
  for (const name of files.filter((name) => /^(README|docs\/.*)\.md$/.test(name))) checkLinks(root, name);
  checkTerminal(folder);
  await checkBundles(folder);
  await checkWorker(folder);
  return { note: `${code.length} files of code` };
}

/** @param {string} root @param {string} name */
function checkCode(root, name) {
  const text = readFileSync(join(root, name), "utf8");
  checkLines(name, text);
  const [, map] = /\n\/\/# sourceMappingURL=(.+)\n$/.exec(text) ?? assert.fail(`${name} names no source map`);
  /** @type {{ sources: string[], sourcesContent: unknown[], mappings: unknown }} */
  const { sources, sourcesContent, mappings } = JSON.parse(readFileSync(join(root, dirname(name), map), "utf8"));
  assert.equal(sourcesContent.length, sources.length, `sources in ${map}`);
  assert.ok(sourcesContent.every((source) => typeof source === "string") && typeof mappings === "string", map);
}

/** @param {string} name @param {string} text */
function checkLines(name, text) {
  const longest = Math.max(...text.split("\n").map((line) => line.length));
  assert.ok(longest <= MAX_LINE, `${name} has a line of ${longest} characters`);
}

/** Checks that links lead to files in the package. @param {string} root @param {string} name */
function checkLinks(root, name) {
  const prose = readFileSync(join(root, name), "utf8").replace(/^( *)(`{3,}).*?^\1\2$/gms, "");
  // The pictures of the inspector aren't published because of their size; their descriptions say what they show.
  for (const [, target] of prose.replace(/!\[[^\]]+\]\(inspector\/\S+\)/g, "").matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    assert.ok(existsSync(join(root, dirname(name), target)), `${name} links to ${target}, which is not in the package`);
  }
}

const PROGRAMS = {
  "import.mjs": 'import { decode } from "respool";\nfunction readAnswer() {\n  decode({});\n}\nreadAnswer();\n',
  "require.cjs": 'const { decode } = require("respool");\nfunction readAnswer() {\n  decode({});\n}\nreadAnswer();\n',
  "slim.mjs": `import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { decode, initSync } from "respool/slim";
initSync(readFileSync(createRequire(import.meta.url).resolve("respool/respool.wasm")));
function readAnswer() {
  decode({});
}
readAnswer();
`,
};

/** Checks what Node prints for an uncaught error. @param {string} folder */
function checkTerminal(folder) {
  for (const [name, program] of Object.entries(PROGRAMS)) {
    const type = name.endsWith(".cjs") ? "commonjs" : "module";
    checkOutput(name, run(folder, [`--input-type=${type}`, "--eval", program]), "readAnswer");
  }
  const short = 'import {decode} from "respool"; decode({})';
  checkOutput("as in the README", run(folder, ["--input-type=module", "-e", short]), "[eval1]:1:33");
}

/** @param {string} cwd @param {string[]} args */
const run = (cwd, args) =>
  spawnSync(process.execPath, args, { cwd, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } }).stderr;

/** @param {string} what @param {string} text @param {string} frame of the caller */
function checkOutput(what, text, frame) {
  assert.ok(Buffer.byteLength(text) < MAX_OUTPUT, `${what}: ${Buffer.byteLength(text)} bytes`);
  const [, first] = /^(?:Uncaught )?DecodeError: .*\n +at (.*)/m.exec(text) ?? assert.fail(`${what}: no DecodeError in ${text}`);
  assert.ok(first.includes(frame), `${what}: the first frame is ${first}`);
  assert.doesNotMatch(text, /^ +at .*node_modules.respool/m, what);
}

/** Checks the first frame of an error of each adapter in a user's bundle. @param {string} folder */
async function checkBundles(folder) {
  await checkBundle(folder, "ai-sdk", "toUIMessageStream");
  await checkBundle(folder, "ag-ui", "toAgUiEvents");
  await checkBundle(folder, "encode", "translateStream");
}

/** @param {string} folder @param {string} entry @param {string} name of its export */
async function checkBundle(folder, entry, name) {
  const contents = `import { ${name} } from "respool/${entry}";
    const options = { get signal() { throw new Error("no signal"); } };
    function readAnswer() { ${name}([], options); }
    try { readAnswer(); } catch (error) { console.error(error.stack); }`;
  const outfile = join(folder, `${entry}-bundle.mjs`);
  const stdin = { contents, resolveDir: folder };
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node", minifySyntax: true, minifyWhitespace: true });
  const stack = run(folder, [outfile]);
  assert.match(stack, /^RespoolError: .*\n +at readAnswer /, `respool/${entry} in a bundle`);
}

/** Checks the error in a Worker, bundled as its tools do. @param {string} folder */
async function checkWorker(folder) {
  const contents = `import { decode } from "respool";
    function readAnswer() { decode({}); }
    export default { fetch() { try { readAnswer(); } catch (error) { return new Response(error.stack); } } };`;
  const external = ["./respool.wasm"];
  const { outputFiles } = await build({
    ...{ stdin: { contents, resolveDir: folder }, external, bundle: true, format: "esm", conditions: ["workerd"] },
    ...{ minifySyntax: true, minifyWhitespace: true },
    write: false,
  });
  const miniflare = new Miniflare({
    compatibilityDate: "2026-01-01",
    modules: [
      { type: "ESModule", path: "worker.mjs", contents: outputFiles[0].text },
      {
        type: "CompiledWasm",
        path: "respool.wasm",
        contents: readFileSync(join(folder, "node_modules/respool/pkg/respool.wasm")),
      },
    ],
  });
  try {
    checkOutput("a Worker", await (await miniflare.dispatchFetch("http://localhost/")).text(), "readAnswer");
  } finally {
    await miniflare.dispose();
  }
}
