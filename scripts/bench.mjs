// npm run bench: sets up and builds what is missing, then measures. npm run bench -- --help tells the options.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./paths.mjs";
import "./built.mjs";

const args = ["--expose-gc", join(ROOT, "bench", "run.mjs"), ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
