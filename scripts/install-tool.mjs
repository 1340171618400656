// Installs the cargo subcommands that only some scripts need into .tools.
import { TOOLS } from "./paths.mjs";
import { announced } from "./progress.mjs";
import { runCommand } from "./run-command.mjs";

/**
 * Resolves once `name` can be run, from .tools/bin or the path.
 *
 * @param {string} name
 * @param {string} version to build if it is missing
 * @throws {import("./run-command.mjs").CommandError} if the build fails
 */
export async function installTool(name, version) {
  if ((await isAvailable(`${TOOLS}/bin/${name}`)) || (await isAvailable(name))) return;
  // Unoptimised: it compiles in a sixth of the time.
  const args = ["install", name, "--version", version, "--debug", "--root", TOOLS];
  await announced(`Building ${name} ${version}`, () => runCommand("cargo", args));
}

/** @param {string} command */
function isAvailable(command) {
  // Cargo passes a subcommand its own name as the first argument.
  const name = command.split(/[/\\]cargo-|^cargo-/).at(-1) ?? "";
  return runCommand(command, [name, "--version"]).then(
    () => true,
    () => false,
  );
}
