// All cases, in the order of the output.
import anthropic from "./anthropic.mjs";
import batch from "./batch.mjs";
import bedrock from "./bedrock.mjs";
import bodies from "./bodies.mjs";
import chat from "./chat.mjs";
import embeddings from "./embeddings.mjs";
import gemini from "./gemini.mjs";
import openStreams from "./open-streams.mjs";
import partial from "./partial.mjs";
import reading from "./reading.mjs";
import responses from "./responses.mjs";
import saving from "./saving.mjs";
import startUp from "./start-up.mjs";
import tracing from "./tracing.mjs";
import translating from "./translating.mjs";

/** @typedef {{ input: any, expected: object, units: number, bytes?: number | undefined }} Made */

/**
 * @typedef {object} Case
 * @property {string} name its name in the table
 * @property {string} takes the kind of input, which contenders name too: `"chat reads"`, `"chat objects"` …
 * @property {string} unit the unit that times are divided by: `"event"`, `"body"`, `"delta"`
 * @property {number} [inputs] how many inputs are read in turn; 1 if missing
 * @property {(scale: number, seed?: number) => Made} make returns an input, at a scale from 0 to 1, and the expected result;
 *   another seed makes another one
 */

/** @type {Case[]} */
export const CASES = [
  ...chat,
  ...anthropic,
  ...responses,
  ...gemini,
  ...bedrock,
  ...openStreams,
  ...bodies,
  ...batch,
  ...embeddings,
  ...partial,
  ...reading,
  ...saving,
  ...translating,
  ...startUp,
  ...tracing,
];
