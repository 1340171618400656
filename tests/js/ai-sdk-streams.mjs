// Inputs and outputs of respool/ai-sdk.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { streamDeltas } from "respool";
import { toUIMessageStream } from "respool/ai-sdk";
import { ROOT } from "../../scripts/paths.mjs";
import { collect } from "./sources.mjs";

/** The text of CHAT_STREAM. */
export const TEXT = "The ferry leaves at 9:35.";

export const chunksOf = (input, options) => collect(toUIMessageStream(input, options));
export const typesOf = async (input, options) => (await chunksOf(input, options)).map(({ type }) => type);

/** Yields the deltas of several answers, one after the other. */
export async function* agent(answers) {
  for (const events of answers) yield* streamDeltas(events);
}

/** Returns the events of a fixture. */
export function fixture(path) {
  const lines = readFileSync(join(ROOT, "tests/fixtures", path, "events.jsonl"), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** Returns the names of all fixtures that are streams. */
export function fixtures() {
  const apis = ["anthropic-messages", "gemini", "gemini-interactions", "openai-chat", "openai-responses"];
  const names = apis.flatMap((api) => readdirSync(join(ROOT, "tests/fixtures", api)).map((name) => `${api}/${name}`));
  return names.filter((name) => existsSync(join(ROOT, "tests/fixtures", name, "events.jsonl")));
}
