// Bedrock in the package: SDK objects with bytes, messages to send back, definitions of tools, signing, converters.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  collect,
  decode,
  detectApi,
  fetchTransport,
  formatToolMessages,
  ModelResponseConverter,
  parseToolArguments,
  process,
  processAsync,
  ProviderError,
  runRequest,
  StreamAccumulator,
  StreamError,
  tool,
} from "respool";
import { bytesOfMessages, messagesOf } from "../fixtures/quirks/frames.mjs";

const answer = (...content) => ({
  output: { message: { role: "assistant", content } },
  stopReason: content.some(({ toolUse }) => toolUse) ? "tool_use" : "end_turn",
  usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
});
const call = (toolUseId, name, input = {}) => ({ toolUse: { toolUseId, name, input } });
const result = (toolUseId, content, rest = {}) => ({ toolResult: { toolUseId, content, ...rest } });
const delta = (contentBlockIndex, given) => ({ contentBlockDelta: { contentBlockIndex, delta: given } });
const START = { messageStart: { role: "assistant" } };
const STOP = { messageStop: { stopReason: "end_turn" } };
const bytesOf = (...events) => bytesOfMessages(messagesOf(events), JSON.stringify);
const utf8 = (value) => new TextEncoder().encode(JSON.stringify(value));

/** Returns a value as a request contains it. */
const sent = (value) => JSON.parse(JSON.stringify(value));

/** Returns the messages after an answer whose calls all have run. */
function after(body, results) {
  const response = decode(body);
  const calls = (response.toolCalls ?? []).map(({ id, name }) => ({ id, name, arguments: "{}" }));
  return sent(formatToolMessages("bedrock-converse", response, calls, results));
}

describe("the objects of AWS's SDK", () => {
  for (const [name, make] of Object.entries({
    Uint8Array: (text) => new TextEncoder().encode(text),
    Buffer: (text) => Buffer.from(text),
  })) {
    test(`redacted reasoning and images as a ${name}`, async () => {
      const { response } = await collect([
        START,
        delta(0, { reasoningContent: { redactedContent: make("secret") } }),
        { contentBlockStart: { contentBlockIndex: 1, start: { image: { format: "png" } } } },
        delta(1, { image: { source: { bytes: make("image") } } }),
        delta(2, { text: "Hm." }),
        STOP,
      ]);
      const [redacted, image] = response.message;
      assert.deepEqual([redacted.encrypted, image.base64], ["c2VjcmV0", "aW1hZ2U="]);
      assert.deepEqual(response.apiSpecific.contentBlocks, [
        { reasoningContent: { redactedContent: "c2VjcmV0" } },
        { image: { format: "png", source: { bytes: "aW1hZ2U=" } } },
        { text: "Hm." },
      ]);
      const body = answer({ reasoningContent: { redactedContent: make("secret") } }, { text: "Hm." });
      assert.deepEqual(decode(body).apiSpecific.contentBlocks[0], { reasoningContent: { redactedContent: "c2VjcmV0" } });
      assert.equal(process({}, body), "Hm.");
    });

    test(`chunks of InvokeModel as a ${name}`, async () => {
      const events = [
        { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [], usage: {} } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Inside 🛳" } },
        { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
        { type: "message_stop" },
      ];
      const { text, response } = await collect(events.map((event) => ({ chunk: { bytes: make(JSON.stringify(event)) } })));
      assert.deepEqual([text, response.api], ["Inside 🛳", "anthropic-messages"]);
    });
  }

  test("vectors of unsigned bytes stay numbers", () => {
    const data = [{ embedding: Uint8Array.of(1, 2), index: 0 }];
    assert.deepEqual(process({}, { data }), [1, 2]);
  });
});

describe("streams", () => {
  const events = [START, delta(0, { text: "Ebb " }), delta(0, { text: "at six." }), STOP];

  test("as bytes, as a Response, and as one body of bytes", async () => {
    const bytes = bytesOf(...events);
    assert.equal((await collect([bytes])).text, "Ebb at six.");
    assert.equal((await collect(new Response(bytes))).text, "Ebb at six.");
    assert.equal(await processAsync({}, new Response(bytes)), "Ebb at six.");
    const headers = { "content-type": "application/vnd.amazon.eventstream" };
    assert.equal(await processAsync({}, new Response(bytes, { headers })), "Ebb at six.");
  });

  test("an exception is thrown with its name", async () => {
    const bytes = bytesOf(...events.slice(0, 2), { throttlingException: { message: "Slow down." } });
    const isRight = (error) => {
      assert.ok(ProviderError.isInstance(error));
      const { message, providerType, providerCode, partial } = error;
      assert.deepEqual([message, providerType, providerCode], ["Slow down.", "throttlingException", "throttlingException"]);
      return partial.text === "Ebb ";
    };
    await assert.rejects(collect([bytes]), isRight);
  });

  test("damage is a broken stream, with its position", async () => {
    const bytes = bytesOf(...events);
    bytes[bytes.length - 1] ^= 1;
    const isRight = (error) =>
      StreamError.isInstance(error) && error.code === "stream-broken" && error.partial.text === "Ebb at six.";
    await assert.rejects(collect([bytes]), isRight);
    await assert.rejects(collect([bytes]), /wrong checksum of the message at byte \d+/);
  });

  test("a message longer than the limit", async () => {
    const accumulator = new StreamAccumulator({ limits: { maxEventBytes: 1000 } });
    accumulator.pushBytes(bytesOf(START, delta(0, { text: "x".repeat(1000) })));
    const { error, ending } = accumulator.finish();
    assert.deepEqual([error.code, ending], ["limit-exceeded", "failed"]);
  });

  test("an error of HTTP has the exception and the id of the request in headers", async () => {
    const headers = { "x-amzn-errortype": "ThrottlingException:http://internal.amazon.com/", "x-amzn-requestid": "r1" };
    const response = new Response(JSON.stringify({ message: "Too many requests" }), { status: 429, headers });
    const expected = { message: "HTTP status 429: Too many requests", providerType: "ThrottlingException", requestId: "r1" };
    await assert.rejects(collect(response), expected);
  });

  test("an error body has the type of the exception", () => {
    const body = { __type: "com.amazon.coral.service#AccessDeniedException", message: "No." };
    assert.throws(() => process({}, body), { message: "No.", providerType: "AccessDeniedException" });
  });
});

describe("the messages after an answer", () => {
  test("have its blocks unchanged, with their signatures", () => {
    const content = [
      { reasoningContent: { reasoningText: { text: "Look it up.", signature: "YQ==" } } },
      { reasoningContent: { redactedContent: "Yg==" } },
      { text: "One moment." },
      call("t1", "tide", { port: "Bodø" }),
      call("t2", "now"),
    ];
    assert.deepEqual(after(answer(...content), ["high", { hour: 9 }]), [
      { role: "assistant", content },
      { role: "user", content: [result("t1", [{ text: "high" }]), result("t2", [{ json: { hour: 9 } }])] },
    ]);
  });

  test("are the same after a stream", async () => {
    const streamed = await collect([
      START,
      delta(0, { reasoningContent: { text: "Hm." } }),
      delta(0, { reasoningContent: { signature: "YQ==" } }),
      { contentBlockStart: { contentBlockIndex: 1, start: { toolUse: { toolUseId: "t1", name: "tide" } } } },
      { contentBlockStop: { contentBlockIndex: 1 } },
      { messageStop: { stopReason: "tool_use" } },
    ]);
    const [{ content }] = formatToolMessages("bedrock-converse", streamed, streamed.toolCalls, ["high"]);
    const reasoning = { reasoningContent: { reasoningText: { text: "Hm.", signature: "YQ==" } } };
    assert.deepEqual(content, [reasoning, call("t1", "tide")]);
  });

  test("contain no empty reasoning", async () => {
    for (const reasoningContent of [{ text: "" }, { signature: "" }, { redactedContent: "" }]) {
      const streamed = await collect([
        START,
        delta(0, { reasoningContent }),
        { contentBlockStart: { contentBlockIndex: 1, start: { toolUse: { toolUseId: "t1", name: "tide" } } } },
        { contentBlockStop: { contentBlockIndex: 1 } },
        { messageStop: { stopReason: "tool_use" } },
      ]);
      const [{ content }] = formatToolMessages("bedrock-converse", streamed, streamed.toolCalls, ["high"]);
      assert.deepEqual(content, [call("t1", "tide")]);
    }
  });

  test("contain only the calls that were run, and no blank text", () => {
    const response = decode(answer({ text: " " }, call("a", "tide"), call("b", "tide"), call("c", "tide")));
    const calls = ["a", "c"].map((id) => ({ id, name: "tide", arguments: "{}" }));
    const [{ content }, { content: results }] = formatToolMessages("bedrock-converse", response, calls, ["1", "3"]);
    assert.deepEqual(content, [call("a", "tide"), call("c", "tide")]);
    assert.deepEqual(results, [result("a", [{ text: "1" }]), result("c", [{ text: "3" }])]);
  });

  test("results: objects as JSON, other values as text, errors, images", () => {
    const image = { type: "image", data: "iVBOR", mimeType: "image/png" };
    const rows = [
      [{ high: "9:35" }, [{ json: { high: "9:35" } }]],
      [[1, 2], [{ text: "[1,2]" }]],
      [new Error("closed"), [{ text: "closed" }], { status: "error" }],
      [{ depth: 5n, at: new Date(0) }, [{ json: { depth: "5", at: "1970-01-01T00:00:00.000Z" } }]],
      [new Date(0), [{ text: '"1970-01-01T00:00:00.000Z"' }]],
      [
        { content: [{ type: "text", text: "The tide." }, image] },
        [{ text: "The tide." }, { image: { format: "png", source: { bytes: "iVBOR" } } }],
      ],
    ];
    for (const [given, content, rest] of rows) {
      const [, { content: results }] = after(answer(call("a", "tide")), [given]);
      assert.deepEqual(results, [result("a", content, rest)]);
    }
  });

  test("image/jpg is the format jpeg", () => {
    const image = { type: "image", data: "iVBO", mimeType: "image/jpg" };
    const [, { content }] = after(answer(call("a", "tide")), [{ content: [image] }]);
    assert.equal(content[0].toolResult.content[0].image.format, "jpeg");
  });

  test("don't end in reasoning, and have none without a signature", () => {
    const signed = { reasoningContent: { reasoningText: { text: "Look it up.", signature: "YQ==" } } };
    const unsigned = { reasoningContent: { reasoningText: { text: "Look it up." } } };
    const redacted = { reasoningContent: { redactedContent: "Yg==" } };
    const [{ content }] = after(answer(unsigned, call("a", "tide")), ["high"]);
    assert.deepEqual(content, [call("a", "tide")]);
    const ends = (...blocks) => sent(formatToolMessages("bedrock-converse", decode(answer(...blocks)), [], []));
    assert.deepEqual(ends(signed, call("a", "leave")), []);
    assert.deepEqual(ends(unsigned), []);
    assert.deepEqual(ends(signed, { text: "Ebb." }, redacted, signed), [
      { role: "assistant", content: [signed, { text: "Ebb." }] },
    ]);
  });

  test("have bytes for the SDK, which are base64 in JSON", () => {
    const image = { image: { format: "png", source: { bytes: "AQID+g==" } } };
    const blocks = [{ reasoningContent: { redactedContent: "AQID+g==" } }, image, call("a", "tide", { bytes: "AQID" })];
    const response = decode(answer(...blocks));
    const results = [{ content: [{ type: "image", data: "+voB", mimeType: "image/png" }] }];
    const messages = formatToolMessages("bedrock-converse", response, response.toolCalls, results);
    const [{ content }, { content: answers }] = messages;
    const bytes = [content[0].reasoningContent.redactedContent, content[1].image.source.bytes];
    const { source } = answers[0].toolResult.content[0].image;
    for (const value of [...bytes, source.bytes]) assert.ok(value instanceof Uint8Array);
    assert.deepEqual([...bytes[0]], [1, 2, 3, 250]);
    assert.deepEqual(Object.keys(source.bytes), ["0", "1", "2"]);
    assert.equal(content[2].toolUse.input.bytes, "AQID");
    assert.deepEqual(sent(content), blocks);
    assert.deepEqual(sent(source), { bytes: "+voB" });
  });

  test("citations go back as text; an input that isn't an object is empty", () => {
    const cited = { citationsContent: { content: [{ text: "It rains." }], citations: [{ title: "Log" }] } };
    const body = answer(cited, call("a", "tide", "nonsense"));
    assert.deepEqual(after(body, ["high"])[0].content, [{ text: "It rains." }, call("a", "tide")]);
    const response = decode(answer(call("a", "tide", '{"port":"Bodø"}')));
    const [{ content }] = formatToolMessages("bedrock-converse", response, response.toolCalls, ["high"]);
    assert.deepEqual(content, [call("a", "tide", { port: "Bodø" })]);
  });

  test("of another interface", () => {
    const tool_calls = [{ id: "a", function: { name: "tide", arguments: '{"n":1}' } }];
    const response = decode({ choices: [{ message: { content: "Hm.", tool_calls } }] });
    const [{ content }] = formatToolMessages(
      "bedrock-converse",
      response,
      [{ id: "a", name: "tide", arguments: '{"n":1}' }],
      ["high"],
    );
    assert.deepEqual(content, [{ text: "Hm." }, call("a", "tide", { n: 1 })]);
  });
});

describe("a request", () => {
  const parameters = { type: "object", properties: { port: { type: "string" } } };
  const tide = tool({ description: "The tide", parameters, execute: () => "high" });
  const toolSpec = { name: "tide", description: "The tide", inputSchema: { json: parameters } };
  const messages = [{ role: "user", content: [{ text: "Tide?" }] }];

  /** Returns the payloads of a request that gets these answers. */
  async function payloadsOf(options, ...answers) {
    const payloads = [];
    const transport = (payload) => payloads.push(payload) && [answers.shift() ?? answer({ text: "Bye." })];
    const { state } = await runRequest({ api: "bedrock-converse", transport, messages, ...options }).result();
    assert.equal(state, "completed");
    return payloads;
  }

  test("has the tools in toolConfig, beside the caller's", async () => {
    const toolChoice = { auto: {} };
    const own = { toolSpec: { name: "now", inputSchema: { json: {} } } };
    const params = { inferenceConfig: { maxTokens: 9 }, toolConfig: { tools: [own], toolChoice } };
    const [first, second] = await payloadsOf({ params, tools: { tide } }, answer(call("a", "tide")));
    assert.deepEqual(first, {
      inferenceConfig: { maxTokens: 9 },
      messages,
      toolConfig: { tools: [own, { toolSpec }], toolChoice },
    });
    assert.deepEqual(second.messages.slice(1), [
      { role: "assistant", content: [call("a", "tide")] },
      { role: "user", content: [result("a", [{ text: "high" }])] },
    ]);
  });

  test("without tools has no toolConfig", async () => {
    assert.deepEqual(await payloadsOf({}), [{ messages }]);
  });

  test("is signed for each attempt", async () => {
    const seen = [];
    const headers = ({ url, method, headers: others, body }) => {
      seen.push([String(url), method, others.get("accept"), JSON.parse(body)]);
      return { authorization: `signed ${seen.length}` };
    };
    const sent = [];
    const fetch = async (_, init) => {
      sent.push(init.headers.get("authorization"));
      return sent.length === 1
        ? new Response("{}", { status: 503 })
        : new Response(bytesOf(START, delta(0, { text: "Hi" }), STOP));
    };
    const clock = { setTimeout: (run) => setTimeout(run, 0), clearTimeout };
    const url = "https://bedrock-runtime.eu-north-1.amazonaws.com/model/m/converse-stream";
    const transport = fetchTransport({ url, api: "bedrock-converse", headers, fetch, clock });
    const { finalText } = await runRequest({ transport, messages }).result();
    assert.equal(finalText, "Hi");
    assert.deepEqual(sent, ["signed 1", "signed 2"]);
    assert.deepEqual(seen[1], [url, "POST", "application/vnd.amazon.eventstream", { messages }]);
  });
});

test("is detected; an agent may name it; calls are parsed; converters read it", async () => {
  const body = answer(call("a", "tide", { port: "Bodø" }));
  assert.equal(detectApi(body), "bedrock-converse");
  assert.equal(detectApi(utf8(body)), "bedrock-converse");
  const [action] = parseToolArguments([call("a", "tide", { port: "Bodø" })]);
  assert.deepEqual(action, { toolCallId: "a", toolName: "tide", arguments: { port: "Bodø" } });
  assert.deepEqual(parseToolArguments([call("a", "tide", { port: "Bodø" }).toolUse]), [action]);
  const message = await new ModelResponseConverter(async () => answer({ text: "Hi" }), "bedrock-converse").invoke();
  assert.match(JSON.stringify(message), /"Hi"/);
});
