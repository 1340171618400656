// Builds respool and plays a capture. Needs no npm packages, so that the first output comes soon.
import { buildForStart } from "../build/quick.mjs";
import { orExplain } from "../explain.mjs";
import { announced } from "../progress.mjs";
import { installToolchain } from "../setup.mjs";
import { openCapture } from "./capture.mjs";
import { show } from "./show.mjs";

await orExplain(installToolchain);
const entry = await orExplain(() => announced("Building respool, unoptimised", buildForStart));
const { StreamAccumulator } = await import(entry);
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0); // whoever read the output has seen enough
});
try {
  process.exitCode = await show(await openCapture(process.argv.slice(2)), process.stdout, StreamAccumulator);
} catch (error) {
  if (error.syscall === undefined) throw error;
  console.error(`The capture cannot be read: ${error.message}`);
  process.exitCode = 1;
}
