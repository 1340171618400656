// All contenders. The first one that can read a case's input is the reference for the others.
import ai from "./ai.mjs";
import anthropic from "./anthropic.mjs";
import aws from "./aws.mjs";
import batch from "./batch.mjs";
import cold from "./cold.mjs";
import eventsourceParser from "./eventsource-parser.mjs";
import google from "./google.mjs";
import json from "./json.mjs";
import langchain from "./langchain.mjs";
import llmStreamAssemble from "./llm-stream-assemble.mjs";
import openai from "./openai.mjs";
import partialJson from "./partial-json.mjs";
import reading from "./reading.mjs";
import respool from "./respool.mjs";
import saving from "./saving.mjs";
import smithy from "./smithy.mjs";
import tracing from "./tracing.mjs";
import translating from "./translating.mjs";

/**
 * @typedef {object} Contender
 * @property {string} name its name in the table
 * @property {string} takes the kind of input it reads
 * @property {string} [only] if it reads only the cases whose name starts with this
 * @property {"Response"} [over] if it reads its input from a fetch response
 * @property {(input: any) => unknown} run the code that is timed; may return a promise
 * @property {(result: any) => object} outcome converts the result of `run` to the form of the workload; not timed
 * @property {(result: any) => number} [milliseconds] the time, if `run` measures it itself
 */

/** @type {Contender[]} */
export const CONTENDERS = [
  ...respool,
  ...batch,
  ...eventsourceParser,
  ...json,
  ...openai,
  ...anthropic,
  ...google,
  ...smithy,
  ...aws,
  ...ai,
  ...langchain,
  ...llmStreamAssemble,
  ...partialJson,
  ...reading,
  ...saving,
  ...cold,
  ...tracing,
  ...translating,
];
