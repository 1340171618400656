// `respool/encode` in pages and workers uses another module than in Node, with the same output.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { build } from "esbuild";
import * as node from "respool/encode";
import { ROOT } from "../../scripts/paths.mjs";
import * as pages from "../../pkg/encode.js";
import { recordedStreams } from "./encode-fixtures.mjs";

const TARGETS = ["openai-chat", "openai-responses", "anthropic-messages"];

/** Encodes a stream. Returns the output without the time, and the losses. */
function write({ StreamEncoder }, target, bytes) {
  const encoder = new StreamEncoder(target, { includeUsage: true, reasoningTags: true, id: "answer" });
  const texts = [encoder.pushBytes(bytes), encoder.finish()].map((part) => new TextDecoder().decode(part));
  return { text: texts.join("").replace(/"(created(?:_at)?)":\d+/g, '"$1":0'), lost: encoder.lost };
}

describe("the same as in Node", () => {
  for (const [name, bytes] of recordedStreams()) {
    test(name, () => {
      for (const target of TARGETS) assert.deepEqual(write(pages, target, bytes), write(node, target, bytes), target);
    });
  }
});

test("a page that only writes doesn't load the module of the main entry", async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    stdin: { contents: 'export { StreamEncoder } from "respool/encode";', resolveDir: ROOT },
    ...{ bundle: true, format: "esm", write: false, metafile: true },
  });
  const files = Object.keys(metafile.inputs).filter((file) => file.startsWith("pkg/"));
  assert.deepEqual(
    files.sort(),
    ["encode", "encoder", "module-encode", "slim"].map((name) => `pkg/${name}.js`),
  );
});
