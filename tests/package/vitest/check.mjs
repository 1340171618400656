// Vitest: depending on the environment, it resolves the package like a page or like Node.
import { join } from "node:path";
import { runCommand } from "../../../scripts/run-command.mjs";
import { installInto } from "../project.mjs";

/** The project that has installed the package, and a folder where Vitest is installed. */
const [, , folder, project] = process.argv;
installInto(project, folder, "vitest/package.test.mjs");

const vitest = join(project, "node_modules", "vitest", "vitest.mjs");
const environments = ["jsdom", "node"];
for (const environment of environments) {
  const args = ["run", "--root", project, "--environment", environment];
  await runCommand(process.execPath, [vitest, ...args], { cwd: project, env: { CI: "1" } });
}
console.log(`ok: ${environments.length} environments`);
