// A project for a test runner or a tool, with its own dependencies.
import { cpSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { ROOT } from "../../scripts/paths.mjs";

/**
 * Copies the package from the project that has installed it, and files of tests/package.
 *
 * @param {string} project
 * @param {string} consumer the folder of the project that has installed the package
 * @param {string[]} files
 */
export function installInto(project, consumer, ...files) {
  const copy = join(project, "node_modules", "respool");
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(consumer, "node_modules", "respool"), copy, { recursive: true });
  for (const file of files) cpSync(join(ROOT, "tests", "package", file), join(project, basename(file)));
}
