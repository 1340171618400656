// The process that contenders/cold.mjs starts: cold.mjs MODULE CONTENDER CASE SCALE. Prints its time and its result.
import chat from "./workloads/chat.mjs";

const [module, name, caseName, scale] = process.argv.slice(2);
/** @import { Contender } from "./contenders/index.mjs" */

const benchCase = chat.find((candidate) => candidate.name === caseName);
if (benchCase === undefined) throw new Error(`there is no case ${caseName}`);
const { input } = benchCase.make(Number(scale));

const began = performance.now();
/** @type {{ default: Contender[] }} */
const { default: contenders } = await import(`./contenders/${module}`);
const contender = contenders.find((candidate) => candidate.name === name && candidate.takes === benchCase.takes);
if (contender === undefined) throw new Error(`there is no contender ${name}`);
const result = await contender.run(input);
const milliseconds = performance.now() - began;

console.log(JSON.stringify({ milliseconds, outcome: contender.outcome(result) }));
