// Jest: its environments resolve different builds of the package, and jsdom's lacks many globals.
import { join } from "node:path";
import { runCommand } from "../../../scripts/run-command.mjs";
import { installInto } from "../project.mjs";

/** The project that has installed the package, and a folder where Jest is installed. */
const [, , folder, project] = process.argv;
installInto(project, folder, "jest/snapshots.test.cjs");

const jest = join(project, "node_modules", "jest", "bin", "jest.js");
const environments = ["jsdom", "node"];
for (const environment of environments) {
  const args = ["--ci", "--rootDir", project, "--env", environment, "--testMatch", "**/snapshots.test.cjs"];
  await runCommand(process.execPath, [jest, ...args], { cwd: project });
}
console.log(`ok: ${environments.length} environments`);
