// npm start: sets up and builds what is missing, then streams a capture through the accumulator for all to see.
//
//   npm start                the bundled capture, at the speed of a model
//   npm start -- FILE        any capture of a supported API
//   cat FILE | npm start     the same from standard input; `npm start -- -` waits for it as long as it takes
import "./built.mjs";

const { openCapture } = await import("./start/capture.mjs");
const { show } = await import("./start/show.mjs");
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0); // whoever read the output has seen enough
});
try {
  process.exitCode = await show(await openCapture(process.argv.slice(2)), process.stdout);
} catch (error) {
  if (error.syscall === undefined) throw error;
  console.error(`The capture cannot be read: ${error.message}`);
  process.exitCode = 1;
}
