// What docs/benchmarks.md shows: the case, our way to do it, and the alternatives.

const BYTES = "respool pushBytes";
const BY_HAND = "eventsource-parser + JSON.parse";

export const HEADLINES = [
  {
    work: "chat text, 16 KB reads",
    reference: BYTES,
    against: [BY_HAND, "openai SDK stream", "LangChain ChatOpenAI stream", "AI SDK streamText"],
  },
  { work: "chat text, one event a read", reference: BYTES, against: [BY_HAND] },
  { work: "CJK and emoji text, 16 KB reads", reference: BYTES, against: [BY_HAND] },
  { work: "parallel tool calls, 16 KB reads", reference: BYTES, against: [BY_HAND] },
  { work: "Anthropic, 16 KB reads", reference: BYTES, against: ["@anthropic-ai/sdk MessageStream"] },
  { work: "Responses, 16 KB reads", reference: BYTES, against: ["openai SDK responses stream"] },
  { work: "push(object), chat text", reference: "respool push", against: ["openai SDK accumulator", "LangChain concat"] },
  { work: "decode(bytes), 1 MB with logprobs", reference: "respool decode", against: ["JSON.parse and read"] },
  { work: "process(bytes), 1 MB with logprobs", reference: "respool process", against: ["JSON.parse and read"] },
  {
    work: "process(bytes), embeddings 100 × 1536 to Float32Array",
    reference: "respool process",
    against: ["JSON.parse and copy"],
  },
  { work: "batch result lines of 1 KB", reference: "respool command line", against: ["JSON.parse script"] },
  { work: "batch result lines of 4 KB", reference: "respool command line", against: ["JSON.parse script"] },
  {
    work: "143 k characters of arguments in 20-character deltas, partial value at each",
    reference: "respool PartialJson",
    against: ["partial-json"],
  },
  { work: "import to the 50th event, cold", reference: BYTES, against: [BY_HAND, "openai SDK stream", "AI SDK streamText"] },
];
