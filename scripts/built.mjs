// A command that imports this first finds everything set up, as with ready.mjs, and pkg/ built.
import "./ready.mjs";

const { orExplain } = await import("./explain.mjs");
const { build } = await import("./build/steps.mjs");
await orExplain(build);
