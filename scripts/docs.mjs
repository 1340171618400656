// npm run docs: builds the package, then its reference.
import "./built.mjs";

const { announced } = await import("./progress.mjs");
const { buildReference } = await import("./docs/reference.mjs");
try {
  const { note } = await announced("Building the reference", buildReference);
  console.log(note);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
