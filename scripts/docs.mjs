// npm run docs: builds the package, then its reference.
import { requirePrerequisites } from "./prerequisites.mjs";

requirePrerequisites();
const { setUp } = await import("./setup.mjs");
const { orExplain } = await import("./explain.mjs");
await orExplain(setUp);
const { build } = await import("./build/steps.mjs");
await orExplain(build);
const { announced } = await import("./progress.mjs");
const { buildReference } = await import("./docs/reference.mjs");
try {
  const { note } = await announced("Building the reference", buildReference);
  console.log(note);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
