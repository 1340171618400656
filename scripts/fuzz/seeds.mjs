// The fuzzer's seeds: the fixtures, in the format of each fuzz target, and a dictionary of keywords.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ROOT } from "../paths.mjs";

const FIXTURES = join(ROOT, "tests", "fixtures");
const CORPUS = join(ROOT, "fuzz", "corpus");
/** Longer seeds slow the fuzzer down more than they help. */
const MAX_BYTES = 4096;

/** The fuzz target for the streams of an API. @type {Record<string, string>} */
const STREAM_TARGETS = {
  "openai-chat": "stream_chat",
  "openai-responses": "stream_responses",
  "anthropic-messages": "stream_anthropic",
  gemini: "stream_gemini",
  "gemini-interactions": "stream_interactions",
  "bedrock-converse": "stream_bedrock",
};
const JSON_TARGETS = ["json", "partial_json", "repair"];
const BYTE_TARGETS = ["sse", "framing", "stream_any"];

/** Adds a seed to a fuzz target. @typedef {(target: string, text: string) => void} Add */

/** @typedef {{ api: string, input: { events?: unknown[], body?: unknown, bytes?: unknown } }} Quirk */

/** @typedef {{ formats: string[], cases: { text: string }[] }} TextFixture */

/** Replaces all seeds and keeps what earlier runs found. Returns the number of seeds. */
export function writeSeeds() {
  /** @type {Map<string, Set<string>>} */
  const seeds = new Map();
  /** @type {Add} */
  const add = (target, text) => {
    if (text.length > MAX_BYTES) return;
    const texts = seeds.get(target) ?? new Set();
    seeds.set(target, texts.add(text));
  };
  for (const path of filesUnder(FIXTURES)) readFixture(path, readFileSync(path, "utf8"), add);
  for (const path of filesUnder(join(FIXTURES, "fuzzed"))) add(basename(dirname(path)), readFileSync(path, "latin1"));
  let count = 0;
  const words = new Set();
  for (const [target, texts] of seeds) {
    const folder = join(CORPUS, target);
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

/** @param {string} path @param {string} text @param {Add} add */
function readFixture(path, text, add) {
  if (basename(path) === "events.jsonl") addEvents(basename(dirname(dirname(path))), text.trim().split("\n"), add);
  else if (basename(path) === "body.json") addBody(text, add);
  else if (path.endsWith(".txt")) add("loops", text);
  else if (path.includes(join("fixtures", "text-formats")) && path.endsWith(".json")) addTexts(JSON.parse(text), add);
  else if (path.includes(join("fixtures", "quirks")) && path.endsWith(".json")) {
    for (const quirk of JSON.parse(text).cases ?? []) addQuirk(quirk, add);
  }
}

/** @param {Quirk} quirk @param {Add} add */
function addQuirk({ api, input: { events, body, bytes } }, add) {
  const jsonOf = (/** @type {unknown} */ value) => JSON.stringify(value);
  if (events) addEvents(api, events.map(jsonOf), add);
  if (body) addBody(typeof body === "string" ? body : jsonOf(body), add);
  if (typeof bytes === "string") for (const target of BYTE_TARGETS) add(target, bytes);
}

/** The two bytes before a text select the formats: only those with markers, or all. @param {TextFixture} fixture @param {Add} add */
function addTexts({ formats, cases }, add) {
  for (const { text } of cases) {
    for (const first of formats[0] === "auto" && formats.length === 1 ? "\0" : "\x01\x02")
      add("text_formats", `${first}\0${text}`);
    const [, body] = /"arguments": ?(.*)\}<\/tool_call>$/s.exec(text) ?? [];
    if (body) add("text_arguments", body);
  }
}

/** @param {string} api @param {string[]} events @param {Add} add */
function addEvents(api, events, add) {
  const target = STREAM_TARGETS[api];
  if (target !== undefined) add(target, events.join("\n"));
  if (api === "bedrock-converse") add("messages", events.map((event) => event.slice(2).replace('"', "").slice(0, -1)).join("\n"));
  for (const byteTarget of BYTE_TARGETS) add(byteTarget, events.map((event) => `data: ${event}\n\n`).join(""));
  for (const event of events) for (const jsonTarget of JSON_TARGETS) add(jsonTarget, event);
}

/** @param {string} text @param {Add} add */
function addBody(text, add) {
  for (const target of ["body", ...JSON_TARGETS]) add(target, text);
  for (const [, vector] of text.matchAll(/"embedding": *"([^"]+)"/g)) add("base64", vector);
}

/** @param {string} folder */
function filesUnder(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
