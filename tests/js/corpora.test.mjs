// Passes every input in the repository to every public function, which must return a result or throw a typed error. Other
// tests check the results.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { after, describe, test } from "node:test";
import { ROOT } from "../../scripts/paths.mjs";
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

function filesUnder(folder) {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** The inputs in a file: answers in all forms that functions accept, and texts. */
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
after(() => assert.equal(requests, 0));

for (const folder of ["tests/fixtures", "samples"]) {
  describe(folder, () => {
    const files = filesUnder(folder);
    test("has files", () => assert.ok(files.length > 0));

    for (const path of files) {
      test(relative(folder, relative(ROOT, path)), async () => {
        const { answers, texts } = inputsOf(path);
        for (const [uses, inputs] of [
          [OF_ANSWERS, answers],
          [OF_TEXT, texts],
        ]) {
          for (const [name, use] of Object.entries(uses)) {
            for (const input of inputs) {
              const error = await unexpectedError(use, input);
              assert.equal(error, undefined, `${name}: ${error?.stack}`);
            }
          }
        }
      });
    }
  });
}
