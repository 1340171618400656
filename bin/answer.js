// One answer, streamed or whole: its text as it comes and what it came to, or deltas, or the result.
import { RespoolError, StreamAccumulator, detectApi } from "respool";
import { complain } from "./ending.js";
import { BatchReader } from "./reader.js";
import { Transcript } from "./transcript.js";

/** Bodies that are no messages: they come to vectors, or to images. */
const WITHOUT_MESSAGE = ["openai-embeddings", "openai-images"];

/** @returns {Promise<boolean>} whether the answer is complete */
export async function showAnswer(job, output, signal) {
  const { name, as, isOneOfMany } = job;
  if (isOneOfMany && as === "text") await output.write(`==> ${name} <==\n`);
  if (job.format === "body" || WITHOUT_MESSAGE.includes(job.api)) {
    const body = await all(job.reads);
    if (WITHOUT_MESSAGE.includes(job.api ?? detectApi(body))) return showBody(body, job, output);
    return showStream({ ...job, reads: [body] }, output, signal);
  }
  return showStream(job, output, signal);
}

async function all(reads) {
  const parts = [];
  for await (const read of reads) parts.push(read);
  return Buffer.concat(parts);
}

async function showStream({ name, reads, api, agent, as, isOneOfMany }, output, signal) {
  const accumulator = new StreamAccumulator({ api, agent });
  const write = { text: new Transcript(output), json: new DeltaLines(output), result: new FinalResult(output) }[as];
  try {
    for await (const read of reads) for (const delta of accumulator.pushBytes(read)) await write.delta(delta);
    const result = signal.aborted ? accumulator.abort("interrupted") : accumulator.finish();
    for (const delta of accumulator.takeDeltas()) await write.delta(delta);
    await write.end(result);
    return judge(result, { name: isOneOfMany ? `${name}: ` : "", agent, signal });
  } finally {
    accumulator.free();
  }
}

/** Says on standard error what is wrong. */
function judge({ ending, error, warnings, text, toolCalls }, { name, agent, signal }) {
  for (const { code, message } of warnings) complain(`${name}${code}: ${message}`);
  if (signal.aborted) return false;
  if (error !== undefined) complain(`${name}${error.code}: ${error.message}`);
  if (ending === "truncated") complain(`${name}truncated: the input ended before the answer did`);
  const expectsJson = agent?.outputs !== undefined && toolCalls.length === 0;
  if (expectsJson && ending === "complete" && !isJson(text)) complain(`${name}the agent has outputs, but the text is no JSON`);
  return ending === "complete";
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A body that is no message, in the words of a batch: `{ vectors }`, `{ images }`. */
async function showBody(body, { name, api, agent, as, isOneOfMany }, output) {
  const reader = new BatchReader({ api, agent });
  try {
    // In one line, whatever it was written in.
    const { results, faults } = reader.read(Buffer.from(JSON.stringify(JSON.parse(body.toString()))));
    for (const { error } of faults) complain(`${isOneOfMany ? `${name}: ` : ""}${error.code}: ${error.message}`);
    if (faults.length === 0) await output.write(as === "text" ? itemsOf(results) : results);
    return faults.length === 0;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new RespoolError("invalid-json", `${name}: the body is no JSON: ${error.message}`);
  } finally {
    reader.free();
  }
}

/** Each vector or image in a line of its own. */
function itemsOf(results) {
  const { vectors, images } = JSON.parse(Buffer.from(results).toString());
  const lines = images ?? vectors.map((vector) => JSON.stringify(vector));
  return `${lines.join("\n")}\n`;
}

/** --json: a line for each delta. */
class DeltaLines {
  #output;

  constructor(output) {
    this.#output = output;
  }

  delta(delta) {
    return this.#output.write(`${JSON.stringify(delta)}\n`);
  }

  end() {}
}

/** --result: on a terminal for people, else in one line. */
class FinalResult {
  #output;

  constructor(output) {
    this.#output = output;
  }

  delta() {}

  end(result) {
    return this.#output.write(`${JSON.stringify(result, null, this.#output.isTerminal ? 2 : 0)}\n`);
  }
}
