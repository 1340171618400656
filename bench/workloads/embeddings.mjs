// Embeddings: https://platform.openai.com/docs/api-reference/embeddings/object
import { Random } from "../random.mjs";

const VECTORS = 100;
const DIMENSIONS = 1536;

/** @import { Case } from "./index.mjs" */

const floats = (/** @type {number[]} */ vector) => Float32Array.from(vector);

export default [
  embeddings("to Float32Array", "embeddings to Float32Array", (vector) => [...vector], floats),
  embeddings("in base64 to Float32Array", "base64 embeddings to Float32Array", base64, floats),
  embeddings(
    "to arrays",
    "embeddings to arrays",
    (vector) => [...vector],
    (vector) => vector,
  ),
];

/**
 * @param {string} name
 * @param {string} takes
 * @param {(vector: number[]) => unknown} wire
 * @param {(vector: number[]) => unknown} kept
 * @returns {Case}
 */
function embeddings(name, takes, wire, kept) {
  return {
    name: `process(bytes), embeddings ${VECTORS} × ${DIMENSIONS} ${name}`,
    takes,
    unit: "body",
    make(scale) {
      const random = new Random(6);
      const vectors = Array.from({ length: Math.max(2, VECTORS * scale) }, () => vector(random));
      const data = vectors.map((vector, index) => ({ object: "embedding", index, embedding: wire(vector) }));
      const usage = { prompt_tokens: 800, total_tokens: 800 };
      const body = { object: "list", data, model: "text-embedding-3-small", usage };
      const input = new TextEncoder().encode(JSON.stringify(body));
      return { input, expected: { vectors: vectors.map(kept) }, units: 1, bytes: input.length };
    },
  };
}

/** Numbers with eight significant digits, like OpenAI's. @param {Random} random */
function vector(random) {
  return Array.from({ length: DIMENSIONS }, () => Number((random.fraction() * 0.16 - 0.08).toPrecision(8)));
}

/** @param {number[]} vector */
function base64(vector) {
  return Buffer.from(Float32Array.from(vector).buffer).toString("base64");
}
