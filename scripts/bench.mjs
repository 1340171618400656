// npm run bench: sets up and builds what is missing, then measures. npm run bench -- --help tells the options.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./paths.mjs";
import { requirePrerequisites } from "./prerequisites.mjs";

requirePrerequisites();
const { setUp } = await import("./setup.mjs");
const { orExplain } = await import("./explain.mjs");
await orExplain(setUp);
const { build } = await import("./build/steps.mjs");
await orExplain(build);

const args = ["--expose-gc", join(ROOT, "bench", "run.mjs"), ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
