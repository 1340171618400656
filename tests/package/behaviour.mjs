// What the package does, as far as a runtime could get in its way. Every runtime runs all of it, so it uses only
// what all of them have. What is right in detail is the business of the other tests.
import {
  ANTHROPIC, capture, CHAT, CHUNKS, EMBEDDING_BASE64, NO_RESPONSE, RESPONSES, STREAM,
} from "./bodies.mjs";
import { equal, ok, thrownBy } from "./expect.mjs";

/** Checks a loaded copy of the package; rejects with the first thing that is not as it should be. */
export default async function check(respool) {
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test(respool);
    } catch (error) {
      throw new Error(`${name}: ${error.message}`, { cause: error });
    }
  }
}

const tests = {
  "a body as object, text and bytes"({ process }) {
    const calls = [{ id: "call_1", name: "tide", arguments: CHAT.choices[0].message.tool_calls[0].function.arguments }];
    const text = JSON.stringify(CHAT);
    const bytes = new TextEncoder().encode(text);
    equal(process({}, CHAT), calls, "object");
    equal(process({}, text), calls, "text");
    equal(process({}, bytes), calls, "Uint8Array");
    equal(process({}, bytes.buffer), calls, "ArrayBuffer");
  },

  "the other APIs"({ process }) {
    equal(process({}, RESPONSES), "High water at noon.", "Responses");
    equal(process({}, ANTHROPIC), [{ id: "toolu_1", name: "tide", arguments: '{"port":"Skjervøy"}' }], "Anthropic");
    equal(process({}, EMBEDDING_BASE64), [0.5, -2, 3], "embedding");
  },

  "the API of a body"({ detectApi }) {
    equal(
      [CHAT, RESPONSES, ANTHROPIC, EMBEDDING_BASE64].map((body) => detectApi(body)),
      ["openai-chat", "openai-responses", "anthropic-messages", "openai-embeddings"],
      "detectApi",
    );
    ok(detectApi(NO_RESPONSE) === undefined, "undefined for what is no response");
  },

  "structured output keeps its text"({ process, RAW_JSON }) {
    const content = '{"n": 90071992547409931}';
    const body = { object: "chat.completion", choices: [{ index: 0, message: { role: "assistant", content } }] };
    const result = process({ outputs: [{ name: "n", kind: "integer" }] }, body);
    ok(typeof result === "object" && "n" in result, "an object");
    equal(result[RAW_JSON], content, "RAW_JSON");
  },

  "a stream of objects"({ StreamAccumulator }) {
    const accumulator = new StreamAccumulator();
    const deltas = CHUNKS.flatMap((each) => accumulator.push(each));
    checkResult(accumulator.finish(), deltas);
    accumulator.free();
  },

  "a stream of bytes, cut anywhere"({ StreamAccumulator }) {
    const bytes = capture();
    for (const size of [1, 2, 7, 64, bytes.length]) {
      const accumulator = new StreamAccumulator();
      const deltas = [];
      for (let at = 0; at < bytes.length; at += size) deltas.push(...accumulator.pushBytes(bytes.subarray(at, at + size)));
      checkResult(accumulator.finish(), deltas);
      accumulator.free();
    }
  },

  "a stream that is cut off"({ StreamAccumulator }) {
    const accumulator = new StreamAccumulator();
    accumulator.pushBytes(capture().subarray(0, 700));
    ok(accumulator.snapshot().ending === "open", "an open snapshot");
    ok(accumulator.finish().ending === "truncated", "a truncated ending");
    accumulator.free();
  },

  async "processStream over a ReadableStream"({ processStream }) {
    const bytes = capture();
    let at = 0;
    const source = new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, (at += 31)));
      },
    });
    await checkItems(processStream({}, source));
  },

  async "processStream over a fetch Response"({ processStream }) {
    await checkItems(processStream({}, new Response(capture(), { headers: { "content-type": "text/event-stream" } })));
  },

  async "processStream over an async generator"({ processStream }) {
    async function* source() {
      yield* CHUNKS;
    }
    await checkItems(processStream({}, source()));
  },

  async "errors have a type and a code"(respool) {
    const error = await thrownBy(() => respool.process({}, NO_RESPONSE), "an unknown response");
    ok(error instanceof respool.DecodeError, `a DecodeError, not ${error}`);
    ok(error instanceof respool.RespoolError && error instanceof Error, "a RespoolError and an Error");
    equal([error.name, error.code], ["DecodeError", "unknown-response"], "name and code");
    ok(respool.RespoolError.isInstance(error), "isInstance to know it");
    ok(!respool.RespoolError.isInstance(new Error("other")), "isInstance to know no other");
    for (const junk of [null, undefined, 5, "{", [], {}]) {
      const other = await thrownBy(() => respool.process({}, junk), String(junk));
      ok(respool.RespoolError.isInstance(other), `a RespoolError for ${String(junk)}, not ${other}`);
    }
    equal(respool.process({}, RESPONSES), "High water at noon.", "afterwards");
  },

  async "misuse of an accumulator"({ StreamAccumulator, RespoolError }) {
    const accumulator = new StreamAccumulator();
    const chunk = await thrownBy(() => accumulator.push(5), "a number");
    equal(chunk.code, "invalid-chunk", "code");
    accumulator.finish();
    const late = await thrownBy(() => accumulator.push(CHUNKS[0]), "after the end");
    equal(late.code, "stream-finished", "code");
    accumulator.free();
    accumulator.free();
    if (Symbol.dispose !== undefined) accumulator[Symbol.dispose]();
    const gone = await thrownBy(() => accumulator.push(CHUNKS[0]), "after free");
    ok(RespoolError.isInstance(gone), `a RespoolError, not ${gone}`);
  },
};

function checkResult(result, deltas) {
  equal(result.text, STREAM.text, "text");
  equal(result.toolCalls, STREAM.toolCalls, "tool calls");
  equal(result.toolCallStatus, ["complete", "complete"], "tool call status");
  equal(result.usage.totalTokens, STREAM.totalTokens, "usage");
  equal([result.finishReason, result.ending], ["tool_use", "complete"], "finish reason and ending");
  const joined = (type, field) => deltas.filter((delta) => delta.type === type).map((delta) => delta[field]).join("");
  equal(joined("text", "text"), STREAM.text, "joined text deltas");
  const first = deltas.filter((delta) => delta.type === "tool-call-delta" && delta.id === "call_a");
  equal(first.map((delta) => delta.arguments).join(""), STREAM.toolCalls[0].arguments, "joined argument deltas");
}

async function checkItems(items) {
  let text = "";
  const calls = [];
  for await (const item of items) {
    if (typeof item === "string") text += item;
    else calls.push(item);
  }
  equal(text, STREAM.text, "text");
  equal(calls, STREAM.toolCalls, "tool calls");
}
