// Cargo's own commands that only some scripts need, built into .tools where they are missing.
import { announced } from "./progress.mjs";
import { TOOLS } from "./paths.mjs";
import { runCommand } from "./run-command.mjs";

/** Resolves when `name` can be run, in .tools/bin or on the path; rejects with a CommandError when it can't be built. */
export async function installTool(name, version) {
  if ((await answers(`${TOOLS}/bin/${name}`)) || (await answers(name))) return;
  // Unoptimised: it compiles in a sixth of the time.
  const args = ["install", name, "--version", version, "--debug", "--root", TOOLS];
  await announced(`Building ${name} ${version}`, () => runCommand("cargo", args));
}

/** Such a command is given its own name first, by cargo. */
function answers(command) {
  const name = command.split(/[/\\]cargo-|^cargo-/).at(-1);
  return runCommand(command, [name, "--version"]).then(
    () => true,
    () => false,
  );
}
