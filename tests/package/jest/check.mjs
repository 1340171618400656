// Jest: its environments resolve different builds of the package, and jsdom's lacks many globals.
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../../scripts/paths.mjs";
import { runCommand } from "../../../scripts/run-command.mjs";

/** The project that has installed the package, and a folder where Jest is installed. */
const [, , folder, project] = process.argv;
const copy = join(project, "node_modules", "respool");
rmSync(copy, { recursive: true, force: true });
cpSync(join(folder, "node_modules", "respool"), copy, { recursive: true });
cpSync(join(ROOT, "tests", "package", "jest", "snapshots.test.cjs"), join(project, "snapshots.test.cjs"));

const jest = join(project, "node_modules", "jest", "bin", "jest.js");
const environments = ["jsdom", "node"];
for (const environment of environments) {
  const args = ["--ci", "--rootDir", project, "--env", environment, "--testMatch", "**/snapshots.test.cjs"];
  await runCommand(process.execPath, [jest, ...args], { cwd: project });
}
console.log(`ok: ${environments.length} environments`);
