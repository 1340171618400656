// The process that contenders/cold.mjs starts: cold.mjs MODULE CONTENDER CASE SCALE. Prints its time and its result.
import chat from "./workloads/chat.mjs";

const [module, name, caseName, scale] = process.argv.slice(2);
const benchCase = chat.find((candidate) => candidate.name === caseName);
const { input } = benchCase.make(Number(scale));

const began = performance.now();
const { default: contenders } = await import(`./contenders/${module}`);
const contender = contenders.find((candidate) => candidate.name === name && candidate.takes === benchCase.takes);
const result = await contender.run(input);
const milliseconds = performance.now() - began;

console.log(JSON.stringify({ milliseconds, outcome: contender.outcome(result) }));
