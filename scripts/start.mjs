// npm start: installs what is missing, builds, then streams a capture through the accumulator.
//
//   npm start                the bundled capture, at the speed of a model
//   npm start -- FILE        any capture of a supported API
//   cat FILE | npm start     the same from standard input; `npm start -- -` waits for it as long as it takes
//
// Old versions of Node must be able to parse this file: see prerequisites.mjs.
import { requirePrerequisites } from "./prerequisites.mjs";

requirePrerequisites();
import("./start/play.mjs");
