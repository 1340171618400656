// Complete bodies by hand: TextDecoder, JSON.parse, and the relevant fields.

/** @import { Contender } from "./index.mjs" */
/** @import { Body, Embeddings } from "./wire.d.ts" */

const decoder = new TextDecoder();
const parse = (/** @type {Uint8Array} */ bytes) => JSON.parse(decoder.decode(bytes));

/** @param {Uint8Array} bytes */
function readBody(bytes) {
  /** @type {Body} */
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

/** @param {Uint8Array} bytes */
function readValue(bytes) {
  /** @type {Body} */
  const { choices } = parse(bytes);
  const { content, tool_calls } = choices[0].message;
  return tool_calls?.map(({ id, function: call }) => ({ id, name: call.name, arguments: call.arguments })) ?? content;
}

/**
 * @template Wire, Vector
 * @param {Uint8Array} bytes
 * @param {(embedding: Wire) => Vector} convert
 */
function vectorsOf(bytes, convert) {
  /** @type {Embeddings<Wire>} */
  const { data } = parse(bytes);
  return data.map(({ embedding }) => convert(embedding));
}

/** @param {Uint8Array} bytes */
const toFloats = (bytes) => vectorsOf(bytes, (/** @type {number[]} */ numbers) => new Float32Array(numbers));
/** @param {Uint8Array} bytes */
const toArrays = (bytes) => vectorsOf(bytes, (/** @type {number[]} */ numbers) => numbers);
/** @param {Uint8Array} bytes */
const fromBase64 = (bytes) =>
  vectorsOf(bytes, (/** @type {string} */ text) => {
    const floats = Buffer.from(text, "base64");
    return new Float32Array(floats.buffer, floats.byteOffset, floats.length / 4);
  });

const outcome = (/** @type {ReturnType<typeof readBody>} */ answer) => ({
  ...answer,
  toolCalls: answer.toolCalls.map((call) => ({ ...call, arguments: JSON.stringify(call.arguments) })),
});

/** @param {string} name @param {string} takes @param {Contender["run"]} run @returns {Contender} */
const vectors = (name, takes, run) => ({ name, takes, run, outcome: (vectors) => ({ vectors }) });

/** @type {Contender[]} */
export default [
  { name: "JSON.parse and read", takes: "chat body, decoded", run: readBody, outcome },
  { name: "JSON.parse and read", takes: "chat body, one value", run: readValue, outcome: (value) => ({ value }) },
  vectors("JSON.parse and copy", "embeddings to Float32Array", toFloats),
  vectors("JSON.parse and Buffer", "base64 embeddings to Float32Array", fromBase64),
  vectors("JSON.parse", "embeddings to arrays", toArrays),
];
