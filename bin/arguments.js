// The arguments of the command line.
import { parseArgs } from "node:util";
import { quote } from "../js/input.js";
import { unknownName } from "../js/near_match.js";

/** Wrong usage. The message is for the user. */
export class UsageError extends Error {}

const APIS = ["openai-chat", "openai-responses", "anthropic-messages", "openai-embeddings", "openai-images"];
const FORMATS = ["auto", "stream", "body", "batch"];

export const HELP = `respool [options] [file…]

Prints the answer of a language model from a stream (server-sent events or JSON
lines), a complete JSON body, or a batch result file. Reads standard input if no
file is named, or for -. Input may be compressed with gzip.

  curl -N … | respool                  text as it arrives, then calls and usage
  respool --json answer.sse            one delta per line
  respool batch.jsonl > results.jsonl  one result per line, on all processors

Options
      --json           print each delta as a line of JSON
      --result         print the final result as JSON; for a batch, with
                       the whole responses
      --api NAME       the interface, if it can't be detected:
                       ${APIS.slice(0, 3).join(", ")},
                       ${APIS.slice(3).join(", ")}
      --format FORMAT  the format of the input: ${FORMATS.join(", ")}
                       (default auto)
      --agent FILE     JSON of the agent, or of its outputs: the text must
                       then be JSON
  -h, --help           print this
  -V, --version        print the version

A batch result file is OpenAI's or Anthropic's, or any file whose lines are or
contain bodies. A line without an answer becomes {"error": …} and is reported
on standard error with its number.

Exit status: 0 if every answer is complete, 1 if one failed, was cut off or could
not be read, 2 for wrong usage. Colours are used on a terminal, unless NO_COLOR
is set.
`;

const OPTIONS = /** @type {const} */ ({
  json: { type: "boolean" },
  result: { type: "boolean" },
  api: { type: "string" },
  format: { type: "string" },
  agent: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
});

/**
 * @typedef {object} Arguments
 * @property {string[]} files
 * @property {string | undefined} api
 * @property {string} format
 * @property {string | undefined} agent a file
 * @property {"text" | "json" | "result"} as
 * @property {boolean} help
 * @property {boolean} version
 */

/**
 * @param {string[]} args
 * @param {{ isTTY?: boolean }} stdin
 * @returns {Arguments}
 * @throws {UsageError}
 */
export function readArguments(args, stdin) {
  const { values, positionals } = parse(args);
  const { json, result, help = false, version = false, api, format = "auto", agent } = values;
  if (json && result) throw new UsageError("--json and --result can't be combined: use one of them");
  if (api !== undefined) requireOneOf("--api", api, [...APIS, "auto"]);
  requireOneOf("--format", format, FORMATS);
  const isAsking = help || version;
  if (!isAsking && positionals.length === 0 && stdin.isTTY) {
    throw new UsageError("nothing to read: name a file, or pipe an answer into respool");
  }
  const files = positionals.length > 0 ? positionals : ["-"];
  return {
    files,
    api: api === "auto" ? undefined : api,
    format,
    agent,
    as: json ? "json" : result ? "result" : "text",
    help,
    version,
  };
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS });
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const [, option] = /^Unknown option '--([^']*)'/.exec(message) ?? [];
    if (code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION" || option === undefined) throw new UsageError(message);
    throw new UsageError(unknownName("option", option, Object.keys(OPTIONS), "--"));
  }
}

/**
 * @param {string} option
 * @param {string} value
 * @param {readonly string[]} words
 */
function requireOneOf(option, value, words) {
  if (!words.includes(value)) throw new UsageError(`${option} must be one of ${words.join(", ")}, not ${quote(value)}`);
}
