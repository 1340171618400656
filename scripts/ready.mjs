// A command that imports this first has the toolchain and the packages, but not a build. It imports packages afterwards,
// with `await import(…)`: before, they may be missing.
import { requirePrerequisites } from "./prerequisites.mjs";

requirePrerequisites();
const { setUp } = await import("./setup.mjs");
const { orExplain } = await import("./explain.mjs");
await orExplain(setUp);
