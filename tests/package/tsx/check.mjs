// tsx: TypeScript with import and with require, compiled on load.
import { join } from "node:path";
import { runCommand } from "../../../scripts/run-command.mjs";
import { installInto } from "../project.mjs";

/** The project that has installed the package, and a folder where tsx is installed. */
const [, , folder, project] = process.argv;
const programs = ["import.mts", "require.ts"];
installInto(project, folder, ...programs.map((name) => `tsx/${name}`));

const tsx = join(project, "node_modules", "tsx", "dist", "cli.mjs");
for (const program of programs) {
  const output = await runCommand(process.execPath, [tsx, join(project, program)], { cwd: project });
  if (output.trim() !== "Tromsø") throw new Error(`${program} wrote ${JSON.stringify(output)}`);
}
console.log(`ok: ${programs.length} programs`);
