// The table of docs/benchmarks.md: each case, respool's contender, and the alternatives.

const BYTES = "respool pushBytes";
const BY_HAND = "eventsource-parser + JSON.parse";
/** Shows how much time comparing events with earlier ones saves. */
const PARSE_ALL = "respool, templates: false";

/** @typedef {{ work: string, reference: string, against: string[] }} Headline */

/** @type {Headline[]} */
export const HEADLINES = [
  {
    work: "chat text, 16 KB reads",
    reference: BYTES,
    against: [BY_HAND, "openai SDK stream", "LangChain ChatOpenAI stream", "AI SDK streamText", PARSE_ALL],
  },
  { work: "chat text, one event per read", reference: BYTES, against: [BY_HAND, PARSE_ALL] },
  {
    work: "chat text with usage in each chunk, 16 KB reads",
    reference: BYTES,
    against: [BY_HAND, "openai SDK stream", "llm-stream-assemble", PARSE_ALL],
  },
  { work: "chat text with usage in each chunk, one event per read", reference: BYTES, against: [BY_HAND, PARSE_ALL] },
  { work: "CJK and emoji text, 16 KB reads", reference: BYTES, against: [BY_HAND, PARSE_ALL] },
  { work: "parallel tool calls, 16 KB reads", reference: BYTES, against: [BY_HAND, PARSE_ALL] },
  { work: "interleaved tool calls, 16 KB reads", reference: BYTES, against: [BY_HAND, "openai SDK stream", PARSE_ALL] },
  {
    work: "Anthropic, 16 KB reads",
    reference: BYTES,
    against: [BY_HAND, "@anthropic-ai/sdk MessageStream", "llm-stream-assemble", PARSE_ALL],
  },
  { work: "Responses, 16 KB reads", reference: BYTES, against: [BY_HAND, "openai SDK responses stream", PARSE_ALL] },
  { work: "Gemini, 16 KB reads", reference: BYTES, against: [BY_HAND, "@google/genai", PARSE_ALL] },
  {
    work: "Bedrock, 16 KB reads",
    reference: BYTES,
    against: ["@smithy/eventstream-codec + JSON.parse", "@aws-sdk/client-bedrock-runtime", PARSE_ALL],
  },
  ...["chat text", "Anthropic", "Responses"].map((answer) => ({
    work: `${answer}, short answers`,
    reference: BYTES,
    against: [BY_HAND, PARSE_ALL],
  })),
  { work: "1,000 open streams, one event of each in turn", reference: BYTES, against: [BY_HAND, PARSE_ALL] },
  { work: "10,000 open streams, one event of each in turn", reference: BYTES, against: [BY_HAND, PARSE_ALL] },
  { work: "40,000 open streams, one event of each in turn", reference: BYTES, against: [BY_HAND, PARSE_ALL] },
  {
    work: "push(object), chat text",
    reference: "respool push",
    against: ["openai SDK accumulator", "LangChain concat", PARSE_ALL],
  },
  {
    work: "push(object), chat text with usage in each chunk",
    reference: "respool push",
    against: ["openai SDK accumulator", PARSE_ALL],
  },
  { work: "push(object), interleaved tool calls", reference: "respool push", against: ["openai SDK accumulator", PARSE_ALL] },
  { work: "push(object), Gemini", reference: "respool push", against: [PARSE_ALL] },
  ...["1 KB", "20 KB"].flatMap((size) => [
    { work: `decode(bytes), ${size}`, reference: "respool decode", against: ["JSON.parse and read", "openai SDK create"] },
    { work: `process(bytes), ${size}`, reference: "respool process", against: ["JSON.parse and read"] },
  ]),
  { work: "decode(bytes), 1 MB with logprobs", reference: "respool decode", against: ["JSON.parse and read"] },
  { work: "process(bytes), 1 MB with logprobs", reference: "respool process", against: ["JSON.parse and read"] },
  {
    work: "process(bytes), embeddings 100 × 1536 to Float32Array",
    reference: "respool process",
    against: ["JSON.parse and copy"],
  },
  { work: "1 KB lines of a batch result", reference: "respool command line", against: ["JSON.parse script"] },
  { work: "4 KB lines of a batch result", reference: "respool command line", against: ["JSON.parse script"] },
  { work: "1 KB lines of a batch result, reasoning", reference: "respool command line", against: ["JSON.parse script"] },
  {
    work: "143,000 characters of arguments, value after each 20-character delta",
    reference: "respool PartialJson",
    against: ["partial-json"],
  },
  ...["100 KB, Anthropic", "100 KB, chat tool calls"].flatMap((answer) => [
    { work: `save(), ${answer}`, reference: "respool save", against: ["JSON as bytes", "structuredClone"] },
    { work: `restore(), ${answer}`, reference: "respool restore", against: ["JSON from bytes", "structuredClone"] },
  ]),
  { work: "cold start, import to 50th event", reference: BYTES, against: [BY_HAND, "openai SDK stream", "AI SDK streamText"] },
];
