// Each contender in a separate process, timed from the import of its package. Only that process loads the module.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PROGRAM = fileURLToPath(new URL("../cold.mjs", import.meta.url));

/** @type {[name: string, module: string][]} */
const STARTERS = [
  ["respool pushBytes", "respool.mjs"],
  ["eventsource-parser + JSON.parse", "eventsource-parser.mjs"],
  ["openai SDK stream", "openai.mjs"],
  ["AI SDK streamText", "ai.mjs"],
  ["LangChain ChatOpenAI stream", "langchain.mjs"],
];

/** @import { Contender } from "./index.mjs" */

/** @type {Contender[]} */
export default STARTERS.map(([name, module]) => ({
  name,
  takes: "start-up",
  async run({ case: caseName, scale }) {
    const args = [PROGRAM, module, name, caseName, String(scale)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return JSON.parse(stdout);
  },
  outcome: ({ outcome }) => outcome,
  milliseconds: ({ milliseconds }) => milliseconds,
}));
