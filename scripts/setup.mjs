// Installs the Rust toolchain and the npm packages. Uses only Node's own modules, and prints nothing if everything is
// installed.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./paths.mjs";
import { announced } from "./progress.mjs";
import { CommandError, runCommand } from "./run-command.mjs";

/** Installs both. */
export async function setUp() {
  await Promise.all([installToolchain(), installPackages()]);
}

/** Installs the toolchain that rust-toolchain.toml names. */
export async function installToolchain() {
  await announced("Installing the Rust toolchain", () =>
    // rustup must never update itself.
    runCommand("rustup", ["toolchain", "install", "--no-self-update"], { cwd: ROOT }),
  );
  await checkCargo();
}

/** Checks that the toolchain's cargo is the one on the PATH: distributions have their own, and the user may override it. */
async function checkCargo() {
  const [, channel] = readFileSync(join(ROOT, "rust-toolchain.toml"), "utf8").match(/^channel = "(.+)"/m);
  const version = await runCommand("cargo", ["--version"], { cwd: ROOT });
  const [, found] = version.match(/^cargo (\S+)/) ?? [];
  if (`${found}.`.startsWith(`${channel}.`)) return;
  throw new CommandError("cargo --version", `found ${found ?? "no version"} instead of ${channel}`, version);
}

/** Installs the npm packages of package-lock.json. */
export async function installPackages() {
  const wanted = join(ROOT, "package-lock.json");
  const installed = join(ROOT, "node_modules", ".package-lock.json");
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return;
  // A checkout dates the lock file anew without changing it.
  const note = join(ROOT, "node_modules", ".installed-from");
  const hash = createHash("sha256").update(readFileSync(wanted)).digest("hex");
  if (existsSync(note) && readFileSync(note, "utf8") === hash) return;
  // No package here needs its install script.
  await announced("Installing the npm packages", () =>
    runCommand("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: ROOT }),
  );
  writeFileSync(note, hash);
}
