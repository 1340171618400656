// Installs, builds and checks, and sets the exit code.
import { orExplain } from "../explain.mjs";
import { setUp } from "../setup.mjs";

await orExplain(setUp);
const { runSteps } = await import("./steps.mjs");
process.exitCode = await runSteps();
