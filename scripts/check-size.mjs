// npm run check:size: prints the size of the built package and fails if it exceeds the budget.
import { checkModules, checkPages } from "./test/size.mjs";

try {
  for (const check of [checkModules, checkPages]) console.log((await check()).note);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error("code" in error && error.code === "ENOENT" ? "No pkg/: run `npm run build` first." : error.message);
  process.exitCode = 1;
}
