// Each public function as a function of one value, from a provider or a program. Each name begins with that of the export.
import { types } from "node:util";
import * as respool from "respool";
import { toAgUiEvents, toAgUiResponse } from "respool/ag-ui";
import { toUIMessageStream, toUIMessageStreamResponse } from "respool/ai-sdk";
import { encode, StreamEncoder, translateResponse, translateStream } from "respool/encode";
import { chatBody, chunk } from "./answers.mjs";

const RUN = { threadId: "t", runId: "r" };
const BODY = chatBody("Ready.");
const RESPONSE = respool.decode(BODY);
const CALLS = [{ id: "c", name: "f", arguments: "{}" }];

/** Reads a stream to its end, or the beginning of an endless one. */
async function drain(items) {
  let count = 0;
  for await (const _ of items) if (++count > 10_000) return;
}

function accumulate(use, options) {
  const accumulator = new respool.StreamAccumulator(options);
  try {
    accumulator.push(chunk("x"));
    use(accumulator);
    accumulator.snapshot();
    accumulator.takeDeltas();
    JSON.stringify(accumulator.finish());
  } finally {
    accumulator.free();
  }
}

function withCodec(codec, use) {
  const unregister = respool.registerCodec({ name: "odd", detect: (value) => "odd" in value, decode: () => [], ...codec });
  try {
    return use();
  } finally {
    unregister();
  }
}

function traced(use) {
  const written = [];
  respool.tracer.add("lines", respool.consoleTracer({ write: (line) => written.push(line) }));
  try {
    return use();
  } finally {
    respool.tracer.clear();
  }
}

const streamOf = (value) =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(value);
      controller.close();
    },
  });

const decodeSse = (value) => {
  const decoder = new respool.SseDecoder();
  try {
    decoder.push(value);
    decoder.finish();
  } finally {
    decoder.free();
  }
};

const applied = (...deltas) => {
  const live = new respool.PartialJson();
  for (const delta of deltas) live.apply({ type: "json", index: 0, path: [], ...delta });
};

const request = (options) => respool.runRequest({ transport: async () => [chunk("a")], messages: [], ...options }).result();
const schema = (outcome) => ({ "~standard": { validate: () => outcome } });
const feed = (text) => {
  const detector = new respool.LoopDetector();
  detector.feed(text);
  detector.free();
};

function tapped(response, options) {
  const { response: passing, result } = respool.tap(response, options);
  passing.text().catch(() => {}); // it rejects if the result does
  return result;
}

const TO = { to: "anthropic-messages" };

function encodeWith(use, options) {
  const encoder = new StreamEncoder("openai-responses", options);
  try {
    encoder.push(chunk("x"));
    use(encoder);
    encoder.finish();
    JSON.stringify([encoder.result, encoder.lost]);
  } finally {
    encoder.free();
  }
}

/** Translates a source, reads the output to its end, and resolves with the result. */
async function translated(source, options) {
  const { stream, result } = translateStream(source, options);
  await drain(stream);
  return result;
}

const translatedResponse = async (response, options) => drain((await translateResponse(response, options)).body);

/** Functions that take an answer or a part of one, in any form. */
export const OF_ANSWERS = {
  decode: respool.decode,
  detectApi: respool.detectApi,
  process: (value) => respool.process({}, value),
  processResponse: (value) => respool.processResponse({}, value),
  "process with outputs": (value) => respool.process({ outputs: [1] }, value, { textBlocks: "first", vectors: "float32" }),
  "tracer of process": (value) => traced(() => respool.process({}, value)),
  processAsync: (value) => respool.processAsync({}, value),
  "processAsync of a list": (value) => respool.processAsync({}, [value]),
  "processAsync later in a list": (value) => respool.processAsync({}, [chunk("a"), value]),
  streamDeltas: (value) => drain(respool.streamDeltas(value)),
  "streamDeltas of a list": (value) => drain(respool.streamDeltas([value])),
  processStream: (value) => drain(respool.processStream({}, value)),
  collect: (value) => respool.collect(value),
  "collect of a list": (value) => respool.collect([value], { throwOnError: false }),
  "tap of a value": (value) => tapped(value),
  "tap of a response": (value) => drain(respool.tap(new Response(streamOf(value))).response.body),
  "StreamDeltas as a stream": (value) => drain(streamOf(value).pipeThrough(new respool.StreamDeltas())),
  "StreamAccumulator push": (value) => accumulate((accumulator) => accumulator.push(value)),
  "StreamAccumulator push in a call": (value) =>
    accumulate((accumulator) => accumulator.push({ choices: [{ delta: { tool_calls: [value] } }] })),
  "StreamAccumulator pushBytes": (value) => accumulate((accumulator) => accumulator.pushBytes(value)),
  "StreamAccumulator pushBytes with everything": (value) =>
    accumulate((accumulator) => accumulator.pushBytes(value), {
      partialJson: true,
      loopDetector: true,
      reasoningTags: true,
      textToolCalls: { tools: [] },
    }),
  "SseDecoder push": decodeSse,
  "ResponseConverter convertResponse": (value) => new respool.ResponseConverter().convertResponse(value),
  "ResponseConverter convertStreamingResponse": (value) =>
    drain(new respool.ResponseConverter().convertStreamingResponse({}, undefined, value)),
  "ModelResponseConverter invoke": (value) => new respool.ModelResponseConverter(value, "auto").invoke(),
  "ModelResponseConverter stream": (value) => drain(new respool.ModelResponseConverter(value, "auto").stream()),
  hasToolCalls: respool.hasToolCalls,
  responseText: respool.responseText,
  isComplete: respool.isComplete,
  cast: (value) => respool.cast(value),
  castAsync: (value) => respool.castAsync(value),
  parseResponse: respool.parseResponse,
  "formatToolMessages of a response": (value) => respool.formatToolMessages("openai-chat", value, [], []),
  "runRequest of an answer": (value) => request({ transport: async () => value, maxRetries: 0 }),
  "ai-sdk toUIMessageStream": (value) => drain(toUIMessageStream(value)),
  "ai-sdk toUIMessageStreamResponse": (value) => drain(toUIMessageStreamResponse(value).body),
  "ag-ui toAgUiEvents": (value) => drain(toAgUiEvents(value, RUN)),
  "ag-ui toAgUiResponse": (value) => drain(toAgUiResponse(value, RUN).body),
  "encode encode": (value) => encode(value, "openai-chat"),
  "encode encode a message": (value) =>
    encode({ message: value, toolCalls: value, usage: value, extra: {} }, "anthropic-messages"),
  "encode StreamEncoder push": (value) => encodeWith((encoder) => encoder.push(value)),
  "encode StreamEncoder pushBytes": (value) => encodeWith((encoder) => encoder.pushBytes(value)),
  "encode translateStream": (value) => translated(value, TO),
  "encode translateStream of a list": (value) => translated([value], TO),
  "encode translateResponse": (value) => translatedResponse(value, TO),
  "encode translateResponse of a stream": (value) => translatedResponse(new Response(streamOf(value)), TO),
};

/** Functions that take text, or the arguments of a call. */
export const OF_TEXT = {
  parsePartialJson: respool.parsePartialJson,
  repairJson: respool.repairJson,
  parseStructuredOutput: (value) => respool.parseStructuredOutput(value),
  "parseStructuredOutput with repair": (value) => respool.parseStructuredOutput(value, undefined, { repair: true }),
  parseStructuredOutputAsync: (value) => respool.parseStructuredOutputAsync(value),
  "parseToolArguments of arguments": (value) =>
    respool.parseToolArguments([{ id: value, name: value, arguments: value }], { repair: true }),
  extractToolCalls: (value) => respool.extractToolCalls(value, { tools: [{ name: "tide" }], reasoningTags: true }),
  "LoopDetector feed": feed,
  "StreamAccumulator text": (value) =>
    accumulate((accumulator) => accumulator.push(chunk(value)), {
      textToolCalls: { tools: [] },
      reasoningTags: true,
      loopDetector: true,
    }),
};

/** Functions that take options, or values that callbacks return. */
export const OF_PROGRAMS = {
  "process agent": (value) => respool.process(value, BODY),
  "process agent's model": (value) => respool.process({ model: value, outputs: value }, BODY),
  "process options": (value) => respool.process({}, BODY, value),
  "processAsync agent": (value) => respool.processAsync(value, BODY),
  "processAsync options": (value) => respool.processAsync({}, BODY, value),
  "processAsync signal": (value) => respool.processAsync({}, BODY, { signal: value }),
  "streamDeltas options": (value) => drain(respool.streamDeltas([chunk("a")], value)),
  "streamDeltas throwOnError": (value) => drain(respool.streamDeltas([chunk("a")], { throwOnError: value })),
  "collect options": (value) => respool.collect([chunk("a")], value),
  "tap options": (value) => tapped(new Response("{}"), value),
  "streamDeltas signal": (value) => drain(respool.streamDeltas([chunk("a")], { signal: value })),
  "processStream agent": (value) => drain(respool.processStream(value, [chunk("a")])),
  "processStream options": (value) => drain(respool.processStream({}, [chunk("a")], value)),
  "StreamDeltas options": (value) => drain(streamOf(chunk("a")).pipeThrough(new respool.StreamDeltas(value))),
  StreamAccumulator: (value) => accumulate(() => {}, value),
  ...Object.fromEntries(
    ["api", "agent", "limits", "coalesce", "templates", "partialJson", "loopDetector", "textToolCalls", "reasoningTags"].map(
      (name) => [`StreamAccumulator ${name}`, (value) => accumulate(() => {}, { [name]: value })],
    ),
  ),
  "StreamAccumulator maxDepth": (value) => accumulate(() => {}, { limits: { maxDepth: value } }),
  "StreamAccumulator tools": (value) => accumulate(() => {}, { textToolCalls: { tools: [value] } }),
  "StreamAccumulator abort": (value) => accumulate((accumulator) => accumulator.abort(value)),
  "PartialJson apply": (value) => new respool.PartialJson().apply(value),
  "PartialJson path": (value) => applied({ path: value, value: 1 }),
  "PartialJson step": (value) => applied({ value: {} }, { path: [value], value }, { index: value, path: [value], append: value }),
  "PartialJson get": (value) => [new respool.PartialJson().get(value, value), new respool.PartialJson().isDone(value, value)],
  "parseStructuredOutput schema": (value) => respool.parseStructuredOutput("{}", value),
  "parseStructuredOutput options": (value) => respool.parseStructuredOutput("{}", undefined, value),
  "parseStructuredOutput outcome": (value) => respool.parseStructuredOutput("{}", schema(value)),
  "parseStructuredOutput issues": (value) => respool.parseStructuredOutput("{}", schema({ issues: value })),
  "parseStructuredOutput issue": (value) => respool.parseStructuredOutput("{}", schema({ issues: [value] })),
  "parseStructuredOutput path": (value) =>
    respool.parseStructuredOutput("{}", schema({ issues: [{ message: value, path: [value] }] })),
  "parseStructuredOutput thrown": (value) =>
    respool.parseStructuredOutput("{}", () => {
      throw value;
    }),
  "parseStructuredOutput thrown issues": (value) =>
    respool.parseStructuredOutput("{}", () => {
      // biome-ignore lint/style/useThrowOnlyError: validators may throw anything
      throw { issues: value };
    }),
  "parseStructuredOutputAsync schema": (value) => respool.parseStructuredOutputAsync("{}", value),
  "parseStructuredOutputAsync options": (value) => respool.parseStructuredOutputAsync("{}", undefined, value),
  "cast validator": (value) => respool.cast("{}", value),
  "castAsync options": (value) => respool.castAsync("{}", undefined, value),
  "parseResponse calls": (value) => respool.parseResponse({ toolCalls: value }),
  parseToolArguments: (value) => respool.parseToolArguments(value),
  "parseToolArguments call": (value) => respool.parseToolArguments([value]),
  "parseToolArguments options": (value) => respool.parseToolArguments([], value),
  "extractToolCalls options": (value) => respool.extractToolCalls("a", value),
  "extractToolCalls schema": (value) => respool.extractToolCalls("<tool_call>", { tools: [{ name: "f", parameters: value }] }),
  LoopDetector: (value) => new respool.LoopDetector(value).free(),
  "LoopDetector tier": (value) => new respool.LoopDetector({ tiers: [value] }).free(),
  "responseText message": (value) => respool.responseText({ message: value }),
  "RespoolError isInstance": (value) => respool.RespoolError.isInstance(value),
  ResponseConverter: (value) => new respool.ResponseConverter(value).convertResponse(BODY),
  "ResponseConverter options": (value) => new respool.ResponseConverter("auto", value).convertResponse(BODY),
  "ResponseConverter signal": (value) => new respool.ResponseConverter("auto", { signal: value }).convertResponse(BODY),
  "ResponseConverter configuration": (value) =>
    drain(new respool.ResponseConverter().convertStreamingResponse(value, value, [chunk("a")], value)),
  "ModelResponseConverter converter": (value) => new respool.ModelResponseConverter(BODY, value).invoke(),
  registerCodec: (value) => respool.registerCodec(value)(),
  "registerCodec name": (value) => withCodec({ name: value }, () => {}),
  "registerCodec stream": (value) => withCodec({ stream: value }, () => {}),
  "registerCodec gives": (value) => withCodec({ detect: () => value, decode: () => value }, () => respool.decode({ odd: 1 })),
  "registerCodec gives in a stream": (value) =>
    withCodec({ stream: () => () => value }, () => accumulate((accumulator) => accumulator.push({ odd: 1 }))),
  "registerCodec throws": (value) =>
    withCodec(
      {
        decode() {
          throw value;
        },
      },
      () => respool.decode({ odd: 1 }),
    ),
  fetchTransport: (value) => void respool.fetchTransport(value),
  "fetchTransport url": (value) => void respool.fetchTransport({ url: value }),
  formatToolMessages: (value) => respool.formatToolMessages(value, value, value, value),
  "formatToolMessages calls": (value) => respool.formatToolMessages("openai-chat", RESPONSE, value, []),
  "formatToolMessages results": (value) => respool.formatToolMessages("openai-chat", RESPONSE, CALLS, value),
  "formatToolMessages result": (value) => respool.formatToolMessages("anthropic-messages", RESPONSE, CALLS, [value]),
  runRequest: (value) => respool.runRequest(value).result(),
  "runRequest signal": (value) => request({ signal: value }),
  "runRequest messages": (value) => request({ messages: value }),
  "runRequest tools": (value) => request({ tools: value }),
  "runRequest definitions": (value) => request({ toolDefinitions: [value], fallback: true }),
  "runRequest params": (value) => request({ params: value }),
  "runRequest thrown": (value) =>
    request({
      transport: async () => {
        throw value;
      },
    }),
  tool: (value) => void respool.tool(value),
  "tool parameters": (value) => void respool.tool({ parameters: value }),
  "tool keyword": (value) =>
    void respool.tool({ parameters: { type: "object", properties: { a: value }, items: value, enum: value, $ref: value } }),
  "tool standard schema": (value) => void respool.tool({ parameters: { "~standard": { jsonSchema: { input: () => value } } } }),
  "tool arguments": (value) =>
    respool.tool({ parameters: { type: "object", properties: { a: { type: "string" } } }, execute: () => {} })(value, {}),
  consoleTracer: (value) => void respool.consoleTracer(value),
  "tracer add": (value) => {
    try {
      respool.tracer.add(value, value);
    } finally {
      respool.tracer.clear();
    }
  },
  "tracer remove": (value) => respool.tracer.remove(value),
  "tracer of an agent": (value) => traced(() => respool.process(value, BODY)),
  "ai-sdk toUIMessageStream options": (value) => drain(toUIMessageStream([chunk("a")], value)),
  "ag-ui toAgUiEvents options": (value) => drain(toAgUiEvents([chunk("a")], value)),
  "encode encode interface": (value) => encode(RESPONSE, value),
  "encode encode options": (value) => encode(RESPONSE, "openai-chat", value),
  ...Object.fromEntries(
    ["includeUsage", "model", "id", "inputTokens", "reasoning", "unsignedThinking", "customTools"].map((name) => [
      `encode StreamEncoder ${name}`,
      (value) => encodeWith(() => {}, { [name]: value }),
    ]),
  ),
  "encode StreamEncoder": (value) => new StreamEncoder(value).free(),
  "encode StreamEncoder options": (value) => encodeWith(() => {}, value),
  "encode StreamEncoder restore": (value) => StreamEncoder.restore(value).free(),
  "encode StreamEncoder restore options": (value) => encodeWith((encoder) => StreamEncoder.restore(encoder.save(), value).free()),
  "encode StreamEncoder abort": (value) => encodeWith((encoder) => encoder.abort(value)),
  "encode StreamEncoder fail": (value) => encodeWith((encoder) => encoder.fail(value)),
  "encode StreamEncoder resume": (value) => encodeWith(() => {}, { resume: value }),
  "encode StreamEncoder resume list": (value) => encodeWith(() => {}, { resume: [value] }),
  "encode StreamEncoder resume push": (value) => encodeWith((encoder) => encoder.push(value), { resume: [] }),
  "encode StreamEncoder resume text": (value) => encodeWith(() => {}, { resume: [{ type: "text", text: value }] }),
  "encode StreamEncoder resume call": (value) =>
    encodeWith(() => {}, { resume: [{ type: "tool-call-delta", index: value, arguments: value }] }),
  "encode translateStream options": (value) => translated([chunk("a")], value),
  "encode translateStream signal": (value) => translated([chunk("a")], { ...TO, signal: value }),
  "encode translateResponse options": (value) => translatedResponse(new Response("{}"), value),
  "encode translateResponse to": (value) => translatedResponse(new Response("{}"), { to: value }),
  "ag-ui toAgUiEvents resume": (value) => drain(toAgUiEvents([chunk("a")], { ...RUN, resume: value })),
};

/** The exports without a use: error classes, and a symbol. */
export const NOT_USED = [
  "DecodeError",
  "LimitError",
  "OutputParseError",
  "ProviderError",
  "RefusalError",
  "StreamError",
  "RAW_JSON",
];

/** Runs a use, which may only fail with a typed error that isn't an internal one. Resolves with any other error. */
export async function unexpectedError(use, value) {
  try {
    const outcome = use(value);
    // A returned value isn't checked for being a promise.
    if (types.isPromise(outcome)) await outcome;
    return undefined;
  } catch (error) {
    if (!respool.RespoolError.isInstance(error)) return error ?? new Error("nothing was thrown");
    return error.code === "internal-error" ? error : undefined;
  }
}
