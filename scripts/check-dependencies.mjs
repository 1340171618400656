// npm run check:dependencies: checks the crates against deny.toml with cargo-deny, which it builds if it is missing.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT, TOOLS } from "./paths.mjs";
import { announced } from "./progress.mjs";
import { CommandError, runCommand } from "./run-command.mjs";

const VERSION = "0.20.2";
const BUILT = join(TOOLS, "bin", process.platform === "win32" ? "cargo-deny.exe" : "cargo-deny");

async function cargoDeny() {
  if (await isOnPath("cargo-deny")) return "cargo-deny";
  if (!existsSync(BUILT)) {
    const args = ["install", "cargo-deny", "--version", VERSION, "--debug", "--no-default-features", "--root", TOOLS];
    await announced(`Building cargo-deny ${VERSION} (once, about 90 s)`, () =>
      runCommand("cargo", args, { cwd: ROOT, env: { CARGO_PROFILE_DEV_DEBUG: "false" } }),
    );
  }
  return BUILT;
}

/** @param {string} command */
function isOnPath(command) {
  return runCommand(command, ["--version"]).then(
    () => true,
    () => false,
  );
}

try {
  const command = await cargoDeny();
  /** @param {string[]} checks */
  const check = (...checks) => runCommand(command, ["--all-features", "check", ...checks], { cwd: ROOT });
  await check("bans", "licenses", "sources");
  console.log("✓ crates: no duplicates in the module, only allowed licences, one registry");
  try {
    await check("advisories");
    console.log("✓ crates: no known advisories");
  } catch (error) {
    // Only publishing requires the advisory database.
    const isUnreachable = error instanceof CommandError && /failed to fetch advisory database/.test(error.output);
    if (!isUnreachable || process.env.ADVISORIES === "required") throw error;
    console.log("- crates: advisories skipped, because their database can't be reached");
  }
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  console.error(`${error.output.trimEnd()}\n\n${error.message}`);
  process.exitCode = 1;
}
