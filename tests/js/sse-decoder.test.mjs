// SseDecoder, which only decodes server-sent events.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SseDecoder } from "respool";

const bytesOf = (text) => new TextEncoder().encode(text);

/** Returns all events of a text that is pushed in pieces of `size` bytes. */
function decoded(text, size = Infinity) {
  const decoder = new SseDecoder();
  const bytes = bytesOf(text);
  const events = [];
  for (let at = 0; at < bytes.length; at += size) events.push(...decoder.push(bytes.subarray(at, at + size)));
  return [...events, ...decoder.finish()];
}

const event = (data, rest = {}) => ({ event: "", data, id: "", ...rest });

describe("SseDecoder", () => {
  const CASES = [
    ["an event", "data: x\n\n", [event("x")]],
    ["all fields", "event: ping\nid: 7\nretry: 30\ndata: x\n\n", [event("x", { event: "ping", id: "7", retry: 30 })]],
    ["the id stays", "id: 7\ndata: x\n\ndata: y\n\n", [event("x", { id: "7" }), event("y", { id: "7" })]],
    ["data over several lines", "data: x\ndata:  y\ndata:z\n\n", [event("x\n y\nz")]],
    ["CR, CRLF and LF", "data: x\r\rdata: y\r\n\r\ndata: z\n\n", [event("x"), event("y"), event("z")]],
    ["comments and unknown fields", ": hello\nfoo: bar\ndata: x\n\n", [event("x")]],
    ["an event without data", "event: ping\n\ndata: x\n\n", [event("x")]],
    ["empty data", "data:\n\n", [event("")]],
    ["a byte order mark", "\ufeffdata: x\n\n", [event("x")]],
    ["no blank line at the end", "data: x", [event("x")]],
    ["characters of several bytes", "data: ø→😀\n\n", [event("ø→😀")]],
    ["nothing", "", []],
  ];
  for (const [name, text, expected] of CASES) {
    test(name, () => {
      assert.deepEqual(decoded(text), expected);
      for (const size of [1, 2, 5]) assert.deepEqual(decoded(text, size), expected, `${size} bytes a read`);
    });
  }

  test("ArrayBuffer and DataView", () => {
    const { buffer } = bytesOf("data: x\n\n");
    assert.deepEqual(new SseDecoder().push(buffer), [event("x")]);
    assert.deepEqual(new SseDecoder().push(new DataView(buffer)), [event("x")]);
  });

  test("misuse", () => {
    const decoder = new SseDecoder();
    for (const junk of ["data: x\n\n", null, 5, {}]) {
      assert.throws(() => decoder.push(junk), { name: "RespoolError", code: "invalid-chunk" });
    }
    decoder.free();
    assert.doesNotThrow(() => decoder.free());
    assert.throws(() => decoder.push(bytesOf("x")), { code: "stream-finished", message: /SseDecoder/ });
  });

  test("a push after the end", () => {
    const decoder = new SseDecoder();
    decoder.push(bytesOf("id: 5\ndata: x"));
    assert.deepEqual(decoder.finish(), [event("x", { id: "5" })]);
    assert.throws(() => decoder.push(bytesOf("data: y\n\n")), { code: "stream-finished", message: /has ended/ });
    assert.deepEqual(decoder.finish(), []);
  });

  test("Symbol.dispose", { skip: Symbol.dispose === undefined }, () => {
    const decoder = new SseDecoder();
    decoder[Symbol.dispose]();
    assert.throws(() => decoder.finish(), { code: "stream-finished" });
  });
});
