// npm run docs: builds the package, then its reference.
import "./built.mjs";
const { announced } = await import("./progress.mjs");
const { buildReference } = await import("./docs/reference.mjs");
const { note } = await announced("Building the reference", buildReference);
console.log(note);
