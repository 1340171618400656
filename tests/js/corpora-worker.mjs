// Passes each input in a file to every public function: see corpora.test.mjs. Runs in a worker, because the test runner's
// hooks on every promise would take longer than the functions.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parentPort } from "node:worker_threads";
import { bytesOfMessages } from "../fixtures/quirks/frames.mjs";
import { OF_ANSWERS, OF_TEXT, unexpectedError } from "./uses.mjs";

const encode = (text) => new TextEncoder().encode(text);
const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
const wire = (events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

/** Returns the inputs in a file: answers in all forms that functions accept, and texts. */
function inputsOf(path) {
  const bytes = readFileSync(path);
  const text = bytes.toString();
  // A JSON file isn't an answer itself, but contains answers.
  const answers = /\.jsonl?$/.test(path) ? [text] : [bytes, text];
  const texts = [text];
  // The list has all events; a single one is an input too.
  const addEvents = (events) => answers.push(events, encode(wire(events)), ...events.slice(0, 1));
  if (path.endsWith(".jsonl")) addEvents(text.trim().split("\n").map(JSON.parse));
  const json = path.endsWith(".json") ? parse(text) : undefined;
  if (basename(path) === "body.json") answers.push(json);
  for (const { input, text: written } of json?.cases ?? []) {
    if (typeof written === "string") texts.push(written);
    if (input?.events) addEvents(input.events);
    if (input?.frames) answers.push(bytesOfMessages(input.frames, JSON.stringify));
    if (input?.body) answers.push(input.body, JSON.stringify(input.body));
    if (typeof input?.bytes === "string") answers.push(encode(input.bytes), input.bytes);
  }
  return { answers, texts };
}

/** No function may make a request, whatever an answer contains. */
let requests = 0;
globalThis.fetch = async () => {
  requests += 1;
  return new Response("");
};

/** Most inputs are rejected, and a third of the time would go into stack traces that nobody reads. */
const { stackTraceLimit } = Error;
Error.stackTraceLimit = 0;

/** Returns the stack of an unexpected error: one that isn't typed. */
async function stackOf(use, input) {
  Error.stackTraceLimit = stackTraceLimit;
  const error = await unexpectedError(use, input);
  Error.stackTraceLimit = 0;
  return String(error?.stack);
}

async function problemsOf(path) {
  const { answers, texts } = inputsOf(path);
  const problems = [];
  for (const [uses, inputs] of [
    [OF_ANSWERS, answers],
    [OF_TEXT, texts],
  ]) {
    for (const [name, use] of Object.entries(uses)) {
      for (const input of inputs) {
        const error = await unexpectedError(use, input);
        if (error !== undefined) problems.push(`${name}: ${error}\n${await stackOf(use, input)}`);
      }
    }
  }
  return problems;
}

parentPort.on("message", async (path) => {
  const problems = await problemsOf(path).catch((error) => [String(error.stack)]);
  parentPort.postMessage({ problems, requests });
});
