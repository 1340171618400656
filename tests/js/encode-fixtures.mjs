// The recorded streams, as bytes on the wire: those of the fixtures, and of the quirks.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/paths.mjs";

const FIXTURES = join(ROOT, "tests", "fixtures");
const encode = (text) => new TextEncoder().encode(text);

/** Returns events on the wire, with the names that clients of Anthropic and Responses need. */
const wireOf = (events) =>
  events
    .map((event) => `${typeof event?.type === "string" ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`)
    .join("");

/** Returns the bytes of each stream, by name. Streams of chat completions may end with the end marker. */
export function recordedStreams() {
  const found = new Map();
  const folders = readdirSync(FIXTURES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name: api } of folders) {
    for (const name of readdirSync(join(FIXTURES, api))) {
      const path = join(FIXTURES, api, name, "events.jsonl");
      if (!existsSync(path)) continue;
      const events = readFileSync(path, "utf8").trim().split("\n").map(JSON.parse);
      found.set(`${api}/${name}`, encode(wireOf(events)));
    }
  }
  const quirks = join(FIXTURES, "quirks");
  for (const file of readdirSync(quirks).filter((name) => name.endsWith(".json"))) {
    const { cases } = JSON.parse(readFileSync(join(quirks, file), "utf8"));
    for (const { name, input, options } of cases) {
      if (options) continue;
      const text = input.events ? wireOf(input.events) : input.bytes;
      if (typeof text === "string") found.set(`quirks/${file}: ${name}`, encode(text));
    }
  }
  return found;
}

/** Splits bytes into pieces of the lengths that `lengthOf` returns. */
export function cut(bytes, lengthOf) {
  const pieces = [];
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + lengthOf());
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}
