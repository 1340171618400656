// What the fuzzer begins with: the fixtures, in the form that each check reads, and the words that mean something there.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ROOT } from "../paths.mjs";

const FIXTURES = join(ROOT, "tests", "fixtures");
const CORPUS = join(ROOT, "fuzz", "corpus");
/** Longer ones slow the fuzzer down more than they help. */
const MAX_BYTES = 4096;

const STREAMS = {
  "openai-chat": "stream_chat",
  "openai-responses": "stream_responses",
  "anthropic-messages": "stream_anthropic",
};
const JSON_CHECKS = ["json", "partial_json", "repair"];
const BYTE_CHECKS = ["sse", "framing", "stream_any"];

/** Writes the seeds of all checks anew, beside what earlier runs have found; answers how many there are. */
export function writeSeeds() {
  const seeds = new Map();
  const add = (check, text) => {
    if (text.length <= MAX_BYTES) (seeds.get(check) ?? seeds.set(check, new Set()).get(check)).add(text);
  };
  for (const path of filesUnder(FIXTURES)) readFixture(path, readFileSync(path, "utf8"), add);
  for (const path of filesUnder(join(FIXTURES, "fuzzed"))) add(basename(dirname(path)), readFileSync(path, "latin1"));
  let count = 0;
  const words = new Set();
  for (const [check, texts] of seeds) {
    const folder = join(CORPUS, check);
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) if (name.startsWith("seed-")) rmSync(join(folder, name));
    for (const text of texts) {
      writeFileSync(join(folder, `seed-${createHash("sha1").update(text).digest("hex").slice(0, 12)}`), text);
      for (const [word] of text.matchAll(/"[a-z_.]{2,40}"/g)) words.add(word);
      count += 1;
    }
  }
  const dictionary = [...words].sort().map((word) => JSON.stringify(word));
  writeFileSync(join(CORPUS, "words.dict"), `${dictionary.join("\n")}\n`);
  return count;
}

function readFixture(path, text, add) {
  const api = basename(dirname(dirname(path)));
  switch (basename(path)) {
    case "events.jsonl":
      return addEvents(api, text.trim().split("\n"), add);
    case "body.json":
      return addBody(text, add);
    default:
      if (path.endsWith(".txt")) add("loops", text);
      if (path.includes(join("fixtures", "text-formats")) && path.endsWith(".json")) addTexts(JSON.parse(text), add);
      if (path.includes(`${join("fixtures", "quirks")}`) && path.endsWith(".json")) {
        for (const { api: of, input } of JSON.parse(text).cases ?? []) {
          if (input.events)
            addEvents(
              of,
              input.events.map((event) => JSON.stringify(event)),
              add,
            );
          if (input.body) addBody(typeof input.body === "string" ? input.body : JSON.stringify(input.body), add);
          if (typeof input.bytes === "string") for (const check of BYTE_CHECKS) add(check, input.bytes);
        }
      }
  }
}

/** The two bytes before a text say what is looked for in it: all that has marks, or that and what has none. */
function addTexts({ formats, cases }, add) {
  for (const { text } of cases) {
    for (const first of formats[0] === "auto" && formats.length === 1 ? "\0" : "\x01\x02")
      add("text_formats", `${first}\0${text}`);
    const [, body] = /"arguments": ?(.*)\}<\/tool_call>$/s.exec(text) ?? [];
    if (body) add("text_arguments", body);
  }
}

function addEvents(api, events, add) {
  if (STREAMS[api]) add(STREAMS[api], events.join("\n"));
  for (const check of BYTE_CHECKS) add(check, events.map((event) => `data: ${event}\n\n`).join(""));
  for (const event of events) for (const check of JSON_CHECKS) add(check, event);
}

function addBody(text, add) {
  for (const check of ["body", ...JSON_CHECKS]) add(check, text);
  for (const [, vector] of text.matchAll(/"embedding": *"([^"]+)"/g)) add("base64", vector);
}

function filesUnder(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
