// A command that imports this first has everything installed, as with ready.mjs, and pkg/ built.
import { requirePrerequisites } from "./prerequisites.mjs";

requirePrerequisites();
const { orExplain } = await import("./explain.mjs");
const { setUpAndBuild } = await import("./build/steps.mjs");
await orExplain(setUpAndBuild);
