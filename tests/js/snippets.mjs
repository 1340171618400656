// Runs the examples in the documentation, each as a separate module that uses the built package.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { formatWithOptions, promisify } from "node:util";
import { transform } from "esbuild";
import { ROOT } from "../../scripts/paths.mjs";
import * as bedrock from "../server/bedrock.mjs";
import * as chat from "../server/chat.mjs";
import * as gemini from "../server/gemini.mjs";
import { readTurn } from "../server/turn.mjs";
import { weatherTurn } from "../server/weather.mjs";
import { ANTHROPIC_STREAM, CHAT_STREAM, RESPONSES_STREAM, sseText } from "./answers.mjs";

/** Returns the examples in a text: `{ code, line }` for each block that is fenced as JavaScript or TypeScript. */
function snippetsIn(text) {
  const blocks = text.matchAll(/^```(?:js|ts|javascript|typescript)\n(.*?)^```$/gms);
  return Array.from(blocks, ({ 1: code, index }) => ({ code, line: text.slice(0, index).split("\n").length }));
}

/** Returns the text of the documentation comments in a declaration file, on the same lines. */
export function withoutStars(declarations) {
  return declarations.replace(/^ *\* ?/gm, "");
}

/** Returns the output that an example promises: the comments that start with an arrow. */
const promisedBy = ({ code }) => Array.from(code.matchAll(/\/\/ → (.*)$/gm), ([, output]) => output);

/** A folder inside the repository, in which "respool" is this package. */
class SnippetFolder {
  #folder;

  constructor(name) {
    this.#folder = join(ROOT, ".tools", "snippets", name);
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
  }

  /** Runs an example, and resolves with the lines that it prints. */
  async run({ code, line }) {
    const { code: script } = await transform(code, { loader: "ts", target: "es2022" });
    const file = this.#write(`line-${line}.mjs`, script);
    const printed = [];
    const { log } = console;
    const { fetch, WebSocket } = globalThis;
    console.log = (...values) => printed.push(...formatWithOptions({ colors: false }, ...values).split("\n"));
    globalThis.fetch = answer;
    globalThis.WebSocket = AnsweringSocket;
    try {
      await import(pathToFileURL(file));
    } finally {
      console.log = log;
      globalThis.fetch = fetch;
      globalThis.WebSocket = WebSocket;
    }
    return printed;
  }

  /** Writes an example for the compiler, and returns its path. */
  writeTyped({ code, line }) {
    return this.#write(`line-${line}.ts`, `${code}\nexport {};\n`);
  }

  #write(name, text) {
    const file = join(this.#folder, name);
    writeFileSync(file, text);
    return file;
  }
}

const STREAMS = { "/chat/completions": CHAT_STREAM, "/responses": RESPONSES_STREAM, "/messages": ANTHROPIC_STREAM };

/** Replaces `fetch`: returns a stream of the interface in the URL, one event per read, or the module. */
async function answer(address, init) {
  if (String(address).endsWith(".wasm")) return new Response(readFileSync(join(ROOT, "pkg", "respool.wasm")));
  const request = typeof init?.body === "string" ? JSON.parse(init.body) : {};
  if (String(address).endsWith(":streamGenerateContent?alt=sse")) return streamed(gemini.events(readTurn(weatherTurn(request))));
  if (String(address).endsWith("/converse-stream")) return streamed(bedrock.events(readTurn(weatherTurn(request))));
  const [, events] = Object.entries(STREAMS).find(([ending]) => String(address).endsWith(ending)) ?? [];
  if (events === undefined) throw new Error(`no sample for ${address}`);
  return streamed(request.tools ? chat.events(readTurn(weatherTurn(request))) : sseText(events));
}

/** Replaces `WebSocket`: answers each message with the events of Responses, and stays open. */
class AnsweringSocket extends EventTarget {
  constructor() {
    super();
    setImmediate(() => this.dispatchEvent(new Event("open")));
  }

  send() {
    for (const event of RESPONSES_STREAM) {
      setImmediate(() => this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(event) })));
    }
  }

  close() {}
}

/** Returns a response with one text, or its bytes, per read. @param {(string | Uint8Array)[]} texts */
function streamed(texts) {
  const encoder = new TextEncoder();
  const reads = texts.map((text) => (typeof text === "string" ? encoder.encode(text) : text));
  const body = new ReadableStream({
    pull(controller) {
      const read = reads.shift();
      if (read === undefined) controller.close();
      else controller.enqueue(read);
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** Tests that a text has examples, and that each prints what it promises. Returns their files for the compiler. */
export function testSnippets(text, folderName) {
  const snippets = snippetsIn(text);
  const folder = new SnippetFolder(folderName);

  test("has examples", () => assert.notEqual(snippets.length, 0));

  for (const snippet of snippets) {
    test(`line ${snippet.line}`, async () => {
      assert.notEqual(promisedBy(snippet).length, 0, "an example says what it prints");
      assert.deepEqual(await folder.run(snippet), promisedBy(snippet));
    });
  }
  return snippets.map((snippet) => folder.writeTyped(snippet));
}

/** Checks the types of all examples at once, because reading the libraries takes longest. Resolves with the errors. */
export function checkTypes(files) {
  const options = [
    "--strict",
    "--noEmit",
    "--skipLibCheck",
    "--target",
    "es2022",
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
  ];
  const lib = ["--lib", "es2023,esnext.disposable,dom,dom.iterable,dom.asynciterable"];
  const stamp = ["--incremental", "--tsBuildInfoFile", join(ROOT, ".tools", "snippets.tsbuildinfo")];
  const tsc = [
    join(ROOT, "node_modules", "typescript-native", "bin", "tsc"),
    "--ignoreConfig",
    ...options,
    ...lib,
    ...stamp,
    ...files,
  ];
  return promisify(execFile)(process.execPath, tsc, { cwd: ROOT }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => stdout + stderr,
  );
}
