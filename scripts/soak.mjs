// npm run soak: repeats the random tests with other seeds, for ten minutes.
//
//   npm run soak -- --minutes 60 --seed 236574
//
// A failure prints the seed with which `npm run soak -- --seed SEED --minutes 0` repeats its round.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./paths.mjs";
import { CommandError, runCommand } from "./run-command.mjs";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" }, seed: { type: "string" } } });
const minutes = Number(values.minutes);
const first = Number(values.seed ?? Date.now() % 1_000_000);
if (!(minutes >= 0 && Number.isSafeInteger(first))) {
  console.error("Usage: npm run soak -- [--minutes 10] [--seed 1]");
  process.exit(2);
}

const folder = join("tests", "js");
const files = readdirSync(join(ROOT, folder))
  .filter((name) => name.endsWith(".test.mjs") && /seedOf\(|testAnswers\(/.test(readFileSync(join(ROOT, folder, name), "utf8")))
  .map((name) => join(folder, name));
const end = performance.now() + minutes * 60_000;
let failed = 0;
let seed = first;
do {
  const env = { RANDOM_SEED: String(seed), RANDOM_ROUNDS: "4", PROPTEST_RNG_SEED: String(seed), PROPTEST_CASES: "1024" };
  for (const [command, ...args] of [
    [process.execPath, "--test", ...files],
    ["cargo", "test", "--quiet", "--no-fail-fast"],
  ]) {
    try {
      await runCommand(/** @type {string} */ (command), args, { cwd: ROOT, env });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      failed += 1;
      console.log(`${error.output}\n✗ seed ${seed}: ${error.message.slice(0, 80)}`);
    }
  }
  console.log(`seed ${seed}, ${failed} failed`);
  seed += 1;
} while (performance.now() < end);
process.exitCode = failed === 0 ? 0 : 1;
