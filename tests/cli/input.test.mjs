// Inputs in other encodings, and inputs without content.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { decodeText, toUtf8 } from "../../bin/encoding.js";
import { chatBody, chatStream, folderWith, fromLines, run, toLines } from "./command.mjs";

/** UTF-16 as PowerShell writes it, or with the bytes swapped. */
const utf16 = (text, { isBig = false } = {}) => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return isBig ? bytes.swap16() : bytes;
};

const TEXT = "data: {}\r\n å😀 \ud83d\ude00 end\n";
const ENCODED = {
  "UTF-8": Buffer.from(TEXT),
  "UTF-8 with a mark": Buffer.from(`\ufeff${TEXT}`),
  "UTF-16": utf16(TEXT),
  "UTF-16, bytes swapped": utf16(TEXT, { isBig: true }),
};

for (const [name, bytes] of Object.entries(ENCODED)) {
  test(`${name} is read in reads of any size`, async () => {
    assert.equal(decodeText(bytes), TEXT);
    for (let size = 1; size <= bytes.length; size++) {
      const reads = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      const found = [];
      for await (const read of toUtf8(reads())) found.push(read);
      assert.equal(Buffer.concat(found).toString(), TEXT, `${size} bytes a read`);
    }
  });
}

test("an odd byte at the end of UTF-16 is replaced", async () => {
  const reads = async function* () {
    yield Buffer.from([0xff, 0xfe, 0x41, 0, 0x42]);
  };
  const found = [];
  for await (const read of toUtf8(reads())) found.push(read);
  assert.equal(Buffer.concat(found).toString(), "A\ufffd");
});

test("streams, bodies, batches and agents in UTF-16 are read, compressed too", async () => {
  const outputs = utf16('[{"name":"port"}]');
  const path = folderWith({ "outputs.json": outputs, "marked.json": Buffer.from('\ufeff[{"name":"port"}]') });
  const stream = chatStream(["Bodø ", "😀"]).replaceAll("\n", "\r\n");
  const batch = toLines([{ custom_id: "ø", response: { status_code: 200, body: chatBody("Bodø 😀") } }, chatBody("b")]);
  for (const isBig of [false, true]) {
    const encode = (text) => utf16(text, { isBig });
    assert.match((await run([], encode(stream))).stdout, /^Bodø 😀\n/);
    assert.match((await run([], gzipSync(encode(stream)))).stdout, /^Bodø 😀\n/);
    assert.match((await run([], encode(JSON.stringify(chatBody("Bodø 😀"), null, 2)))).stdout, /^Bodø 😀\n/);
    const rows = fromLines((await run([], encode(batch))).stdout);
    assert.deepEqual(
      rows.map(({ line, customId, text }) => [line, customId, text]),
      [
        [1, "ø", "Bodø 😀"],
        [2, undefined, "b"],
      ],
    );
  }
  for (const file of ["outputs.json", "marked.json"]) {
    const { code, stderr } = await run(["--agent", path(file)], chatStream(['{"port":"Bodø"}']));
    assert.deepEqual([code, stderr], [0, ""]);
  }
});

test("empty input is reported as empty, whatever the options expect", async () => {
  const path = folderWith({ "empty.sse": "", "full.sse": chatStream(["Full"]) });
  const blanks = ["", " \r\n\t\n", "\ufeff", gzipSync(""), utf16(""), utf16(" \n", { isBig: true })];
  const ways = [[], ["--json"], ["--format", "csv"], ["--input", "batch"], ["--input", "body"], ["--input", "stream"]];
  // Each input and each set of options occurs once: empty input is detected before the options matter.
  const runs = blanks.map((input, at) => run(ways[at], input).then((ended) => ({ ...ended, args: ways[at] })));
  for (const { code, stdout, stderr, args } of await Promise.all(runs)) {
    assert.equal(stderr, "respool: standard input: is empty: the command before it printed nothing\n", args.join(" "));
    assert.deepEqual([code, stdout], [1, ""]);
  }
  const several = await run([path("empty.sse"), path("full.sse")]);
  assert.equal(several.code, 1);
  assert.equal(several.stderr, `respool: ${path("empty.sse")}: is empty\n`);
  assert.match(several.stdout, /Full\n/);
});
