// A command that imports this first finds set up what is installed and not built. What it needs of that, packages
// included, it imports afterwards with `await import(…)`: before, it is not there.
import { requirePrerequisites } from "./prerequisites.mjs";

requirePrerequisites();
const { setUp } = await import("./setup.mjs");
const { orExplain } = await import("./explain.mjs");
await orExplain(setUp);
