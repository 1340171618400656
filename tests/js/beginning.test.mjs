// The form of an input, detected from its beginning.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Beginning } from "../../js/beginning.js";

const FORMS = [
  ["data: {}", "events", 0],
  ["\ufeff\r\nid: 1", "events", 3],
  [": ping", "events", 0],
  [' {"a":1}', "json", 1],
  ["[1]", "json", 0],
  ["[ ]", "json", 0],
  ["\n[\r\n\t{", "array", 1],
  ["\0\0\0", "messages", 0],
  ["<html>", "text", 0],
  ['"a"', "text", 0],
  ["", undefined, 0],
  [" \ufeff\n", undefined, 3],
  [" [\n", undefined, 1],
];

test("the form is the same for text and bytes, at every cut", () => {
  for (const [text, form, start] of FORMS) {
    const bytes = new TextEncoder().encode(text);
    for (const whole of [text, bytes]) {
      for (let cut = 0; cut <= whole.length; cut++) {
        const beginning = new Beginning();
        beginning.push(whole.slice(0, cut));
        assert.equal(beginning.push(whole.slice(cut)), form, `${JSON.stringify(text)} cut at ${cut}`);
        const marks = whole === bytes && text.includes("\ufeff") ? 2 : 0; // a byte order mark has three bytes
        assert.equal(beginning.start, start + marks, `${JSON.stringify(text)} cut at ${cut}`);
      }
    }
  }
});
