// npm run check:size: prints the size of the built package and fails if it exceeds the budget.
import { checkSize } from "./test/size.mjs";

try {
  console.log((await checkSize()).note);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error("code" in error && error.code === "ENOENT" ? "No pkg/: run `npm run build` first." : error.message);
  process.exitCode = 1;
}
