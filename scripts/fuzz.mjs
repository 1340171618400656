// npm run fuzz: runs each fuzz target in fuzz/ for 30 seconds, starting from the fixtures.
//
//   npm run fuzz -- json body --seconds 3600
//
// It needs a C++ compiler, and cargo-fuzz, which it builds if it is missing. Failing inputs are written to
// fuzz/artifacts. Add them to tests/fixtures/fuzzed/<target>/, which `cargo test --test fuzzed` reads.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeSeeds } from "./fuzz/seeds.mjs";
import { installTool } from "./install-tool.mjs";
import { ROOT, TOOLS } from "./paths.mjs";
import { announced } from "./progress.mjs";
import { runCommand } from "./run-command.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seconds: { type: "string", default: "30" } } });
const seconds = Number(values.seconds);
const all = Array.from(
  readFileSync(join(ROOT, "fuzz", "Cargo.toml"), "utf8").matchAll(/^\[\[bin\]\]\nname = "(.*)"/gm),
  ([, name]) => name,
);
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0 || !(seconds > 0)) {
  console.error(`Usage: npm run fuzz -- [target …] [--seconds 30]. Targets: ${all.join(", ")}`);
  process.exit(2);
}

await installTool("cargo-fuzz", "0.13.2");
// Lets a stable compiler use the instrumentation of nightly ones.
const env = { RUSTC_BOOTSTRAP: "1", PATH: `${join(TOOLS, "bin")}:${process.env.PATH}` };
/**
 * Runs without an address sanitizer: there is no unsafe code, and the fuzzer is twice as fast.
 *
 * @param {string[]} args
 * @param {(line: string) => void} [onLine]
 */
const cargoFuzz = ([command, ...args], onLine) =>
  runCommand("cargo", ["fuzz", command, "--sanitizer", "none", ...args], { cwd: ROOT, env, ...(onLine && { onLine }) });

console.log(`${writeSeeds()} seeds`);
await announced("Building the fuzz targets", () => cargoFuzz(["build"]));
let failed = 0;
for (const target of positionals.length > 0 ? positionals : all) {
  let output = "";
  const options = [
    `-max_total_time=${seconds}`,
    "-max_len=4096",
    "-timeout=20",
    "-print_final_stats=1",
    "-dict=fuzz/corpus/words.dict",
  ];
  const hasPassed = await cargoFuzz(["run", target, "--", ...options], (line) => {
    output += `${line}\n`;
  }).then(
    () => true,
    () => false,
  );
  const executions = output.match(/stat::number_of_executed_units:\s+(\d+)/)?.[1];
  console.log(`${hasPassed ? "✓" : "✗"} ${target.padEnd(18)} ${Number(executions ?? 0).toLocaleString("en")} executions`);
  if (!hasPassed) {
    failed += 1;
    console.log(excerpt(output));
  }
}

/** Returns the first lines of the failure, of the target or the compiler, and the path of the failing input. @param {string} output */
function excerpt(output) {
  const lines = output.split("\n");
  const first = lines.findIndex((line) => /panicked at|ERROR: libFuzzer|^error/.test(line));
  const shown = [...lines.slice(first).slice(0, 5), ...lines.filter((line) => line.includes("Test unit written"))];
  return shown.map((line) => `    ${line.slice(0, 400)}`).join("\n");
}

process.exitCode = failed === 0 ? 0 : 1;
