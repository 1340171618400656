// npm test: sets up and builds what is missing, then checks everything that passes on any machine.
import { requirePrerequisites } from "./prerequisites.mjs";

requirePrerequisites();
const { setUp } = await import("./setup.mjs");
const { orExplain } = await import("./explain.mjs");
await orExplain(setUp);

const { runSteps } = await import("./test/steps.mjs");
process.exitCode = await runSteps();
