// npm run fuzz: each check of fuzz/ for half a minute, from the fixtures on.
//
//   npm run fuzz -- json body --seconds 3600
//
// It needs cargo-fuzz, which is built first where it is missing, and a C++ compiler. What it finds is written to
// fuzz/artifacts; make a file in tests/fixtures/fuzzed/<check>/ of it, which `cargo test --test fuzzed` reads.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, TOOLS } from "./paths.mjs";
import { installTool } from "./install-tool.mjs";
import { announced } from "./progress.mjs";
import { runCommand } from "./run-command.mjs";
import { writeSeeds } from "./fuzz/seeds.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seconds: { type: "string", default: "30" } } });
const seconds = Number(values.seconds);
const all = Array.from(
  readFileSync(join(ROOT, "fuzz", "Cargo.toml"), "utf8").matchAll(/^\[\[bin\]\]\nname = "(.*)"/gm),
  ([, name]) => name,
);
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0 || !(seconds > 0)) {
  console.error(`npm run fuzz -- [check …] [--seconds 30]; the checks are ${all.join(", ")}`);
  process.exit(2);
}

await installTool("cargo-fuzz", "0.13.2");
// The instrumentation is behind a switch of nightly compilers, which stable ones have, too.
const env = { RUSTC_BOOTSTRAP: "1", PATH: `${join(TOOLS, "bin")}:${process.env.PATH}` };
// There is no unsafe code for an address sanitizer to watch, and the fuzzer is twice as fast without.
const cargoFuzz = (command, ...args) =>
  runCommand("cargo", ["fuzz", command, "--sanitizer", "none", ...args], { cwd: ROOT, env });

console.log(`${writeSeeds()} seeds`);
await announced("Building the checks", () => cargoFuzz("build"));
let failed = 0;
for (const check of positionals.length > 0 ? positionals : all) {
  let output = "";
  const note = (line) => (output += `${line}\n`);
  const options = [
    `-max_total_time=${seconds}`,
    "-max_len=4096",
    "-timeout=20",
    "-print_final_stats=1",
    "-dict=fuzz/corpus/words.dict",
  ];
  const run = runCommand("cargo", ["fuzz", "run", "--sanitizer", "none", check, "--", ...options], {
    cwd: ROOT,
    env,
    onLine: note,
  });
  const isFine = await run.then(
    () => true,
    () => false,
  );
  const executions = output.match(/stat::number_of_executed_units:\s+(\d+)/)?.[1];
  console.log(`${isFine ? "✓" : "✗"} ${check.padEnd(18)} ${Number(executions ?? 0).toLocaleString("en")} executions`);
  if (!isFine) {
    failed += 1;
    console.log(excerpt(output));
  }
}

/** What was wrong, and where the input is. */
function excerpt(output) {
  const lines = output.split("\n");
  const first = lines.findIndex((line) => /panicked at|ERROR: libFuzzer/.test(line));
  const shown = [...lines.slice(first, first + 5), ...lines.filter((line) => line.includes("Test unit written"))];
  return shown.map((line) => `    ${line.slice(0, 400)}`).join("\n");
}

process.exitCode = failed === 0 ? 0 : 1;
