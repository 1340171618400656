// Who takes part. The first that can take a case is what the others are compared with.
import ai from "./ai.mjs";
import anthropic from "./anthropic.mjs";
import batch from "./batch.mjs";
import cold from "./cold.mjs";
import eventsourceParser from "./eventsource-parser.mjs";
import json from "./json.mjs";
import langchain from "./langchain.mjs";
import openai from "./openai.mjs";
import partialJson from "./partial-json.mjs";
import reading from "./reading.mjs";
import respool from "./respool.mjs";
import tracing from "./tracing.mjs";

/**
 * @typedef {object} Contender
 * @property {string} name as it stands in the table
 * @property {string} takes the cases it takes part in
 * @property {"Response"} [over] that its input comes as a fetch response
 * @property {(input: any) => unknown} run what is timed; may give a promise
 * @property {(result: any) => object} outcome what `run` came to, as the workload states it; not timed
 * @property {(result: any) => number} [milliseconds] what it took where `run` knows better than a clock around it
 */

/** @type {Contender[]} */
export const CONTENDERS = [
  ...respool,
  ...batch,
  ...eventsourceParser,
  ...json,
  ...openai,
  ...anthropic,
  ...ai,
  ...langchain,
  ...partialJson,
  ...reading,
  ...cold,
  ...tracing,
];
