// What the command line says.
import { parseArgs } from "node:util";

/** Wrong use; the message is for the user. */
export class UsageError extends Error {}

const APIS = ["openai-chat", "openai-responses", "anthropic-messages", "openai-embeddings", "openai-images"];
const FORMATS = ["auto", "stream", "body", "batch"];

export const HELP = `respool [options] [file…]

Shows what a language model answered: a stream (server-sent events or JSON
lines), a whole JSON body, or a batch result file. Reads standard input where no
file is named, or for -. Anything may be compressed with gzip.

  curl -N … | respool                  the text as it comes, then calls and usage
  respool --json answer.sse            every delta, one a line
  respool batch.jsonl > results.jsonl  one result a line, on all processors

Options
      --json           print one delta a line, as JSON
      --result         print the final result, as JSON; of a batch, whole
                       responses, too
      --api NAME       the interface, where it is not to be found out:
                       ${APIS.slice(0, 3).join(", ")},
                       ${APIS.slice(3).join(", ")}
      --format FORMAT  what the input is: ${FORMATS.join(", ")}
                       (default auto)
      --agent FILE     JSON of the agent, or of its outputs: the text is
                       expected to be JSON
  -h, --help           print this
  -V, --version        print the version

A batch result file is OpenAI's or Anthropic's, or any file whose lines are or
have a body. A line that is no answer gives {"error": …}, and is reported with
its number on standard error.

Exit status: 0 if every answer is complete, 1 if one failed, was cut off or could
not be read, 2 for wrong use. Colours are used on a terminal, unless NO_COLOR is
set.
`;

/**
 * @param {string[]} args
 * @param {{ isTTY?: boolean }} stdin
 * @returns {{ files: string[], api?: string, format: string, agent?: string, as: "text" | "json" | "result", help: boolean, version: boolean }}
 * @throws {UsageError}
 */
export function readArguments(args, stdin) {
  const { values, positionals } = parse(args);
  const { json, result, help = false, version = false, api, format = "auto", agent } = values;
  if (json && result) throw new UsageError("--json and --result exclude each other");
  if (api !== undefined) oneOf("--api", api, [...APIS, "auto"]);
  oneOf("--format", format, FORMATS);
  const isAsking = help || version;
  if (!isAsking && positionals.length === 0 && stdin.isTTY) {
    throw new UsageError("nothing to read: name a file, or pipe an answer in");
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

function parse(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: "boolean" },
        result: { type: "boolean" },
        api: { type: "string" },
        format: { type: "string" },
        agent: { type: "string" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean", short: "V" },
      },
    });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function oneOf(option, value, words) {
  if (!words.includes(value)) throw new UsageError(`${option} must be one of ${words.join(", ")}, not '${value}'`);
}
