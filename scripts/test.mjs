// npm test: sets up and builds what is missing, then checks everything that passes on any machine.
import "./ready.mjs";

const { runSteps } = await import("./test/steps.mjs");
process.exitCode = await runSteps();
