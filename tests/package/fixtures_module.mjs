// The fixtures of the repository as one ES module, for runtimes that can't read files.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FIXTURES = join(dirname(dirname(fileURLToPath(import.meta.url))), "fixtures");
/** Texts to repeat, by the placeholder that they replace. @typedef {Record<string, { text: string, times: number }>} Fill */

/** @typedef {{ name: string, api: string, input: object, expected: object, fill?: Fill }} Quirk */

const APIS = ["openai-chat", "openai-responses", "anthropic-messages", "gemini", "openai-embeddings", "openai-images"];

/**
 * The source of the module. It exports two lists as JSON: `ANSWERS` of `{ name, api, events?, bytes?, body?, text?, expected }`,
 * where `text` is the source of the body, and `TEXTS` of `{ name, formats, tools, text, tags?, open?, expected }`.
 */
export function fixturesModule() {
  const lists = { ANSWERS: [...APIS.flatMap(answersOf), ...quirks()], TEXTS: texts() };
  // As strings, because `__proto__` isn't a member in a JavaScript literal.
  return Object.entries(lists)
    .map(([name, list]) => `export const ${name} = ${JSON.stringify(JSON.stringify(list))};\n`)
    .join("");
}

/** @param {string} api */
function answersOf(api) {
  return readdirSync(join(FIXTURES, api)).map((name) => {
    /** @param {string} file @param {(text: string) => unknown} parse */
    const read = (file, parse) => {
      const path = join(FIXTURES, api, name, file);
      return existsSync(path) ? parse(readFileSync(path, "utf8")) : undefined;
    };
    /** @param {string} text */
    const lines = (text) =>
      text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line));
    return {
      name: `${api}/${name}`,
      api,
      events: read("events.jsonl", lines),
      body: read("body.json", JSON.parse),
      text: read("body.json", String),
      expected: read("expected.json", JSON.parse),
    };
  });
}

function quirks() {
  const files = readdirSync(join(FIXTURES, "quirks")).filter((file) => file.endsWith(".json"));
  return files.flatMap((file) => {
    /** @type {{ cases: Quirk[] }} */
    const { cases } = JSON.parse(readFileSync(join(FIXTURES, "quirks", file), "utf8"));
    return cases.map(({ name, api, input, expected, fill = {} }) => ({
      name: `quirks/${file}, ${name}`,
      api,
      .../** @type {object} */ (filled(input, fill)),
      expected: filled(expected, fill),
    }));
  });
}

function texts() {
  const folders = readdirSync(join(FIXTURES, "text-formats"));
  return folders.flatMap((folder) =>
    readdirSync(join(FIXTURES, "text-formats", folder)).flatMap((file) => {
      /** @type {{ formats: unknown, tools: unknown, cases: { name: string }[] }} */
      const { formats, tools, cases } = JSON.parse(readFileSync(join(FIXTURES, "text-formats", folder, file), "utf8"));
      return cases.map(({ name, ...rest }) => ({ name: `${folder}/${file}, ${name}`, formats, tools, ...rest }));
    }),
  );
}

/** Replaces placeholders with long texts. @param {unknown} value @param {Fill} fill @returns {unknown} */
function filled(value, fill) {
  if (typeof value === "string") {
    return Object.entries(fill).reduce(
      (text, [key, { text: long, times }]) => text.replaceAll(key, () => long.repeat(times)),
      value,
    );
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, fill));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, fill)]));
}
