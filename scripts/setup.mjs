// Brings a fresh clone to where everything can run: the Rust toolchain, the npm packages, wasm-bindgen, the build.
// Uses Node's own modules only, and says nothing when there is nothing to do.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { announced } from "./progress.mjs";
import { ROOT, TOOLS, WASM_BINDGEN } from "./paths.mjs";
import { runCommand } from "./run-command.mjs";

/** Installs what is missing. The build is not part of it. */
export async function setUp() {
  await installToolchain();
  await Promise.all([installPackages(), installWasmBindgen()]);
}

async function installToolchain() {
  // Reads rust-toolchain.toml. rustup is never told to update itself.
  await announced("Installing the Rust toolchain", () =>
    runCommand("rustup", ["toolchain", "install", "--no-self-update"], { cwd: ROOT }),
  );
}

async function installPackages() {
  const wanted = join(ROOT, "package-lock.json");
  const installed = join(ROOT, "node_modules", ".package-lock.json");
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return;
  // A checkout gives the lock file a new date without changing it.
  const note = join(ROOT, "node_modules", ".installed-from");
  const hash = createHash("sha256").update(readFileSync(wanted)).digest("hex");
  if (existsSync(note) && readFileSync(note, "utf8") === hash) return;
  // No package here needs its install script.
  await announced("Installing the npm packages", () =>
    runCommand("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: ROOT }),
  );
  writeFileSync(note, hash);
}

/** The command line tool has to be of the same version as the crate. */
async function installWasmBindgen() {
  const version = lockedVersion("wasm-bindgen");
  if (existsSync(WASM_BINDGEN) && (await installedVersion()) === version) return;
  await announced(`Building wasm-bindgen ${version} (once, about a minute and a half)`, (report) => {
    let compiled = 0;
    return runCommand(
      "cargo",
      // Unoptimised: it compiles in a sixth of the time and runs a few milliseconds longer.
      // Not --locked: the lock file it ships names versions that are not in every index.
      ["install", "wasm-bindgen-cli", "--version", version, "--debug", "--no-default-features", "--force", "--root", TOOLS],
      {
        cwd: ROOT,
        env: { CARGO_PROFILE_DEV_DEBUG: "false" },
        onLine: (line) => {
          if (/^\s*Compiling /.test(line)) report(`${++compiled} crates compiled`);
        },
      },
    );
  });
}

async function installedVersion() {
  try {
    return (await runCommand(WASM_BINDGEN, ["--version"])).trim().split(" ")[1];
  } catch {
    return undefined;
  }
}

function lockedVersion(crate) {
  const lock = readFileSync(join(ROOT, "Cargo.lock"), "utf8");
  const found = lock.match(new RegExp(`name = "${crate}"\\r?\\nversion = "([^"]+)"`));
  if (found === null) throw new Error(`Cargo.lock names no version of ${crate}`);
  return found[1];
}
