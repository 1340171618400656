// Every input that this repository has, through every public function: a result or a typed error. What the results are,
// the other tests say.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { after, describe, test } from "node:test";
import { ROOT } from "../../scripts/paths.mjs";
import { OF_ANSWERS, OF_TEXT, whatIsWrong } from "./uses.mjs";

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

/** The inputs that a file has: answers in all forms in which they can be handed over, and texts. */
function inputsOf(path) {
  const bytes = readFileSync(path);
  const text = bytes.toString();
  // A file of JSON is no answer itself: what is in it is handed over in all forms.
  const answers = /\.jsonl?$/.test(path) ? [text] : [bytes, text];
  const texts = [text];
  // All events are in the list: one alone shows what the functions make of a single one.
  const addEvents = (events) => answers.push(events, encode(wire(events)), ...events.slice(0, 1));
  if (path.endsWith(".jsonl")) addEvents(text.trim().split("\n").map(JSON.parse));
  const json = path.endsWith(".json") ? parse(text) : undefined;
  if (basename(path) === "body.json") answers.push(json);
  for (const { input, text: written } of json?.cases ?? []) {
    if (typeof written === "string") texts.push(written);
    if (input?.events) addEvents(input.events);
    if (input?.body) answers.push(input.body, JSON.stringify(input.body));
    if (typeof input?.bytes === "string") answers.push(encode(input.bytes), input.bytes);
  }
  return { answers, texts };
}

/** Nothing here asks for anything, whatever an answer says. */
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
              const error = await whatIsWrong(use, input);
              assert.equal(error, undefined, `${name}: ${error?.stack}`);
            }
          }
        }
      });
    }
  });
}
