// npm run check:size: how big the built package is, and whether that is within the budget.
import { checkSize } from "./test/size.mjs";

try {
  console.log((await checkSize()).note);
} catch (error) {
  console.error(error.code === "ENOENT" ? "pkg/ is not there: run `npm run build` first." : error.message);
  process.exitCode = 1;
}
