// A command that imports this first finds everything set up and pkg/ built. What it needs of that, packages included, it
// imports afterwards with `await import(…)`: before, it is not there.
import { requirePrerequisites } from "./prerequisites.mjs";

requirePrerequisites();
const { setUp } = await import("./setup.mjs");
const { orExplain } = await import("./explain.mjs");
await orExplain(setUp);
const { build } = await import("./build/steps.mjs");
await orExplain(build);
