// All that is measured, in the order of the table.
import anthropic from "./anthropic.mjs";
import batch from "./batch.mjs";
import bodies from "./bodies.mjs";
import chat from "./chat.mjs";
import embeddings from "./embeddings.mjs";
import openStreams from "./open-streams.mjs";
import partial from "./partial.mjs";
import reading from "./reading.mjs";
import responses from "./responses.mjs";
import startUp from "./start-up.mjs";
import tracing from "./tracing.mjs";

/**
 * @typedef {object} Case
 * @property {string} name as it stands in the table
 * @property {string} takes what contenders have to be able to take: `"chat reads"`, `"chat objects"` …
 * @property {string} unit what the time is given for: `"event"`, `"body"`, `"delta"`
 * @property {(scale: number) => { input: unknown, expected: object, units: number, bytes?: number }} make
 *   makes the input, at a scale from 0 to 1, and what every contender has to come to
 */

/** @type {Case[]} */
export const CASES = [
  ...chat,
  ...anthropic,
  ...responses,
  ...openStreams,
  ...bodies,
  ...batch,
  ...embeddings,
  ...partial,
  ...reading,
  ...startUp,
  ...tracing,
];
