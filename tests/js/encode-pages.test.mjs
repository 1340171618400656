// `respool/encode` in pages and workers has another module than in Node: it writes the same.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as node from "respool/encode";
import * as pages from "../../pkg/encode.js";
import { recordedStreams } from "./encode-fixtures.mjs";

const TARGETS = ["openai-chat", "openai-responses", "anthropic-messages"];

/** What a stream is written as, without the time, and what is lost. */
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
