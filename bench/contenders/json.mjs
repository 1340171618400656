// Complete bodies by hand: TextDecoder, JSON.parse, and the relevant fields.

const decoder = new TextDecoder();
const parse = (bytes) => JSON.parse(decoder.decode(bytes));

function readBody(bytes) {
  const { choices, usage } = parse(bytes);
  const [{ message, finish_reason, logprobs }] = choices;
  return {
    text: message.content,
    toolCalls: (message.tool_calls ?? []).map(({ id, function: call }) => ({
      id,
      name: call.name,
      arguments: JSON.parse(call.arguments),
    })),
    finishReason: finish_reason,
    usage: { input: usage.prompt_tokens, output: usage.completion_tokens },
    logprobs,
  };
}

function readValue(bytes) {
  const { content, tool_calls } = parse(bytes).choices[0].message;
  return tool_calls?.map(({ id, function: call }) => ({ id, name: call.name, arguments: call.arguments })) ?? content;
}

const vectorsOf = (bytes, convert) => parse(bytes).data.map(({ embedding }) => convert(embedding));
const toFloats = (bytes) => vectorsOf(bytes, (numbers) => new Float32Array(numbers));
const toArrays = (bytes) => vectorsOf(bytes, (numbers) => numbers);
const fromBase64 = (bytes) =>
  vectorsOf(bytes, (text) => {
    const floats = Buffer.from(text, "base64");
    return new Float32Array(floats.buffer, floats.byteOffset, floats.length / 4);
  });

const outcome = (answer) => ({
  ...answer,
  toolCalls: answer.toolCalls.map((call) => ({ ...call, arguments: JSON.stringify(call.arguments) })),
});
const vectors = (name, takes, run) => ({ name, takes, run, outcome: (vectors) => ({ vectors }) });

export default [
  { name: "JSON.parse and read", takes: "chat body, decoded", run: readBody, outcome },
  { name: "JSON.parse and read", takes: "chat body, one value", run: readValue, outcome: (value) => ({ value }) },
  vectors("JSON.parse and copy", "embeddings to Float32Array", toFloats),
  vectors("JSON.parse and Buffer", "base64 embeddings to Float32Array", fromBase64),
  vectors("JSON.parse", "embeddings to arrays", toArrays),
];
