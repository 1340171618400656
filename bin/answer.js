// One answer, streamed or whole: its text as it comes and what it came to, or deltas, or the result.
import { StreamAccumulator, detectApi } from "respool";
import { complain } from "./ending.js";
import { InputError, LONGEST } from "./input.js";
import { BatchReader } from "./reader.js";
import { Transcript } from "./transcript.js";

/** Bodies that are no messages: they come to vectors, or to images. */
const WITHOUT_MESSAGE = ["openai-embeddings", "openai-images"];

/** @returns {Promise<boolean>} whether the answer is complete */
export async function showAnswer(job, output, signal) {
  const { name, as, isOneOfMany } = job;
  if (isOneOfMany && as === "text") await output.writeText(`==> ${name} <==\n`);
  if (job.format === "body" || WITHOUT_MESSAGE.includes(job.api)) {
    const body = await all(job.reads, name);
    if (WITHOUT_MESSAGE.includes(job.api ?? detectApi(body))) return showBody(body, job, output);
    return showStream({ ...job, reads: [body] }, output, signal);
  }
  return showStream(job, output, signal);
}

async function all(reads, name) {
  const parts = [];
  let length = 0;
  for await (const read of reads) {
    length += read.length;
    if (length > LONGEST) throw new InputError(name, new Error(`limit-exceeded: the body has more than ${LONGEST} bytes`));
    parts.push(read);
  }
  return Buffer.concat(parts);
}

async function showStream({ name, reads, api, agent, as, isOneOfMany }, output, signal) {
  const accumulator = new StreamAccumulator({ api, agent });
  const write = { text: new Transcript(output), json: new DeltaLines(output), result: new FinalResult(output) }[as];
  try {
    for await (const read of reads) {
      const deltas = accumulator.pushBytes(read);
      for (const delta of deltas) await write.delta(delta);
      // Nothing is read any more; the input may never end.
      if (deltas.some(({ error }) => error?.code === "limit-exceeded")) break;
    }
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
    if (faults.length === 0) await (as === "text" ? output.writeText(itemsOf(results)) : output.writeJson(results));
    return faults.length === 0;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new InputError(name, new Error(`the body is no JSON: ${error.message}`));
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
    return this.#output.writeJson(`${JSON.stringify(delta)}\n`);
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
    return this.#output.writeJson(`${JSON.stringify(result, null, this.#output.isTerminal ? 2 : 0)}\n`);
  }
}
