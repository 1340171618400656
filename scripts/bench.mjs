// npm run bench: builds what is missing, then runs the benchmarks. `npm run bench -- --help` lists the options.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import "./built.mjs";
import { ROOT } from "./paths.mjs";

const args = ["--expose-gc", join(ROOT, "bench", "run.mjs"), ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
