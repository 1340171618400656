// npm run check:dependencies: the crates keep to deny.toml, by cargo-deny, which is built first where it is missing.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { announced } from "./progress.mjs";
import { ROOT, TOOLS } from "./paths.mjs";
import { CommandError, runCommand } from "./run-command.mjs";

const VERSION = "0.20.2";
const BUILT = join(TOOLS, "bin", process.platform === "win32" ? "cargo-deny.exe" : "cargo-deny");

async function cargoDeny() {
  if (
    await runCommand("cargo-deny", ["--version"]).then(
      () => true,
      () => false,
    )
  )
    return "cargo-deny";
  if (!existsSync(BUILT)) {
    const args = ["install", "cargo-deny", "--version", VERSION, "--debug", "--no-default-features", "--root", TOOLS];
    await announced(`Building cargo-deny ${VERSION} (once, about a minute and a half)`, () =>
      runCommand("cargo", args, { cwd: ROOT, env: { CARGO_PROFILE_DEV_DEBUG: "false" } }),
    );
  }
  return BUILT;
}

try {
  const command = await cargoDeny();
  const check = (...what) => runCommand(command, ["--all-features", "check", ...what], { cwd: ROOT });
  await check("bans", "licenses", "sources");
  console.log("✓ crates: no duplicates in the module, licences that deny.toml allows, one registry");
  try {
    await check("advisories");
    console.log("✓ crates: no known advisories");
  } catch (error) {
    // On a machine that does not reach it; what publishes has to.
    if (!/failed to fetch advisory database/.test(error.output ?? "") || process.env.ADVISORIES === "required") throw error;
    console.log("- crates: advisories were not looked up, because their database can't be reached");
  }
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  console.error(`${error.output.trimEnd()}\n\n${error.message}`);
  process.exitCode = 1;
}
