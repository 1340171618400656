// What has to be on the machine before anything else can be set up. Written so that any Node which knows ES
// modules gets as far as the check: no new syntax, no imports that old versions lack.
import { spawnSync } from "node:child_process";

const OLDEST_NODE = 20;

/** The one line that says what is missing, or undefined when nothing is. */
export function missingPrerequisite() {
  if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) {
    return (
      "Node.js " +
      process.versions.node +
      " is too old: install version " +
      OLDEST_NODE +
      " or newer from https://nodejs.org, then run this again."
    );
  }
  if (!answers("rustup")) {
    return "rustup is missing: install Rust with rustup from https://rustup.rs, then run this again.";
  }
  if (!answers("cargo")) {
    return "cargo is missing although rustup is there: run `rustup default stable`, then run this again.";
  }
  return undefined;
}

/** Ends the process with the one line when something is missing. */
export function requirePrerequisites() {
  const missing = missingPrerequisite();
  if (missing !== undefined) {
    console.error(missing);
    process.exit(1);
  }
}

function answers(command) {
  return spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;
}
