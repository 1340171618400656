// npm test: installs what is missing, builds, then checks everything that passes on any machine.
//
// Old versions of Node must be able to parse this file: see prerequisites.mjs.
import { requirePrerequisites } from "./prerequisites.mjs";

requirePrerequisites();
import("./test/run.mjs");
