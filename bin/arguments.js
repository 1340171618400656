// Parses the arguments of the command line.

/** @import { WireApi } from "respool/encode" */

import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { TARGETS } from "../js/encode/targets.js";
import { quote } from "../js/input.js";
import { INTERFACES, hasMessage } from "../js/interfaces.js";
import { nearMatch } from "../js/near_match.js";

/** The error for wrong usage. The message is for the user. */
export class UsageError extends Error {}

const APIS = Object.keys(INTERFACES);
const INPUTS = ["auto", "stream", "body", "batch"];
const FORMATS = /** @type {const} */ (["text", "jsonl", "csv"]);

/** @typedef {typeof FORMATS[number]} RowFormat the form of rows, one per response */

export const HELP = `respool [options] [file…]

Prints the answer of a language model from a stream (server-sent events, JSON
lines, or an AWS event stream), a complete JSON body, a batch result file, a HAR
file, or a capture of the inspector. Reads standard input if no file is named,
or for -. Input may be compressed with gzip or zstd, be UTF-8 or UTF-16, and
begin with the headers that curl -i prints.

  curl -N … | respool                  text as it arrives, then calls and usage
  respool --json answer.sse            one delta per line
  respool batch.jsonl > results.jsonl  one result per line, on all processors
  respool --format csv batch.jsonl     a table for a spreadsheet
  respool --to openai-chat answer.sse  the same answer from another interface

Options
      --format FORMAT  one row per response: ${FORMATS.join(", ")}
                       (default jsonl for a batch, otherwise text)
      --json           print each delta as a line of JSON
      --result         print the final result as JSON; for a batch, with
                       the whole responses
      --api NAME       the interface, if it can't be detected:
                       ${APIS.slice(0, 3).join(", ")},
                       ${APIS.slice(3, 7).join(", ")},
                       ${APIS.slice(7).join(", ")}
      --to NAME        write the answer as another interface:
                       ${TARGETS.join(", ")}
      --input FORM     the form of the input: ${INPUTS.join(", ")}
                       (default auto)
      --agent FILE     JSON of the agent, or of its outputs: the text must
                       then be JSON
  -h, --help, help     print this
  -v, -V, --version    print the version

A batch result file is OpenAI's or Anthropic's, an error file, or any file whose
lines are or contain bodies. Each result has the line's number, its custom_id
and the response's id. A line without an answer becomes {"error": …} and is
reported on standard error with its number.

Exit status: 0 if every answer is complete, 1 if one failed, was cut off or could
not be read, 2 for wrong usage. Colours are used on a terminal, unless NO_COLOR
is set; FORCE_COLOR=1 and FORCE_COLOR=0 turn them on and off.
`;

const OPTIONS = /** @type {const} */ ({
  format: { type: "string" },
  json: { type: "boolean" },
  result: { type: "boolean" },
  api: { type: "string" },
  to: { type: "string" },
  input: { type: "string" },
  agent: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
});
const NAMES = Object.keys(OPTIONS);

/**
 * The output for each input.
 *
 * @typedef {"text" | "json" | "result" | "rows"} As
 */

/**
 * @typedef {object} Arguments
 * @property {string[]} files
 * @property {string | undefined} api
 * @property {WireApi | undefined} to
 * @property {string} input
 * @property {string | undefined} agent path of a file
 * @property {As} as
 * @property {RowFormat | undefined} format
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
  const { json, result, api, to, input = "auto", agent } = values;
  const format = readFormat(values.format);
  if (json && result) throw new UsageError("--json and --result can't be combined: use one of them");
  if (json && format) throw new UsageError("--json prints deltas, which --format doesn't apply to: use one of them");
  if (result && format && format !== "jsonl") throw new UsageError(`--result prints JSON, not ${format}: use one of them`);
  if (api !== undefined) requireOneOf("--api", api, [...APIS, "auto"]);
  requireOneOf("--input", input, INPUTS);
  if (to !== undefined) {
    requireOneOf("--to", to, TARGETS);
    if (!hasMessage(api)) throw new UsageError(`--to writes messages, which --api ${api} has none of: leave one of them out`);
    const other = /** @type {const} */ (["json", "result", "format", "agent"]).find((name) => values[name]);
    if (other) throw new UsageError(`--to writes an answer as it is, which --${other} doesn't apply to: use one of them`);
    if (positionals.length > 1) throw new UsageError(`--to writes one answer, not ${positionals.length}: name one file`);
  }
  const [word] = positionals.length === 1 && !existsSync(String(positionals[0])) ? positionals : [];
  const help = values.help === true || word === "help";
  const version = values.version === true || values.V === true;
  if (!help && !version && positionals.length === 0 && stdin.isTTY) {
    throw new UsageError("nothing to read: name a file, or pipe an answer into respool");
  }
  return {
    files: positionals.length > 0 ? positionals : ["-"],
    api: api === "auto" ? undefined : api,
    to: /** @type {WireApi | undefined} */ (to),
    input,
    agent,
    as: json ? "json" : result ? "result" : format === "jsonl" || format === "csv" ? "rows" : "text",
    format,
    help,
    version,
  };
}

/** @param {string[]} args */
function parse(args) {
  try {
    const options = /** @type {const} */ ({ ...OPTIONS, V: { type: "boolean", short: "V" } });
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const option = /'(-[^' ]*)/.exec(message)?.[1] ?? "";
    if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") throw new UsageError(unknownOption(option, args));
    if (/ does not take an argument/.test(message)) throw new UsageError(`${nameIn(option)} takes no value`);
    if (code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") throw new UsageError(`${nameIn(option)} needs a value: see --help`);
    throw new UsageError(message);
  }
}

/** Returns the name in Node's description of an option, such as `-h, --help`. @param {string} option */
const nameIn = (option) => option.replace(/,$/, "");

/**
 * Returns the message for an unknown option. Node reads `-json` as a group of short options, but its author meant one
 * option.
 *
 * @param {string} option
 * @param {string[]} args
 */
function unknownOption(option, args) {
  const isShort = !option.startsWith("--");
  const written = isShort ? (args.find((arg) => /^-[^-]/.test(arg) && arg.includes(option.slice(1))) ?? option) : option;
  const name = written.replace(/^-+/, "").replace(/=.*/s, "");
  const beginning = NAMES.filter((known) => name !== "" && known.startsWith(name));
  const near = beginning.length === 1 ? beginning[0] : nearMatch(name, NAMES);
  if (existsSync(written))
    return `Unknown option \`${clip(written)}\`. For the file with this name, write ${clip(`./${written}`)}`;
  const question = near === undefined ? "" : ` Did you mean \`--${near}\`?`;
  return `Unknown option \`${clip(written)}\`.${question} Options: ${NAMES.map((known) => `--${known}`).join(", ")}`;
}

/** @param {string} text */
const clip = (text) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

/**
 * @param {string | undefined} format
 * @returns {RowFormat | undefined}
 */
function readFormat(format) {
  if (format === undefined) return undefined;
  if (INPUTS.includes(format)) {
    throw new UsageError(
      `--format is the form of the output: ${FORMATS.join(", ")}. For that of the input, use --input ${format}`,
    );
  }
  requireOneOf("--format", format, FORMATS);
  return /** @type {RowFormat} */ (format);
}

/**
 * @param {string} option
 * @param {string} value
 * @param {readonly string[]} words
 */
function requireOneOf(option, value, words) {
  if (words.includes(value)) return;
  const near = nearMatch(value, words) ?? firstOf(value, words);
  const question = near === undefined ? "" : `. Did you mean ${near}?`;
  throw new UsageError(`${option} must be one of ${words.join(", ")}, not ${quote(value)}${question}`);
}

/**
 * Returns the first word whose first part matches, such as `anthropic-messages` for `anthropic`.
 *
 * @param {string} value
 * @param {readonly string[]} words
 */
function firstOf(value, words) {
  const part = nearMatch(
    value,
    words.map((word) => word.replace(/-.*/, "")),
  );
  return part && words.find((word) => word.startsWith(part));
}
