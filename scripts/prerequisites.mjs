// Checks what has to be on the machine before anything else can be installed. Every Node that supports ES modules can parse
// this file: it uses no newer syntax and no newer imports.
import { spawnSync } from "node:child_process";

const OLDEST_NODE = 20;

/** Returns one line that says what is missing and what to do, or undefined if nothing is missing. */
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
  if (spawnSync("rustup", ["--version"], { stdio: "ignore" }).error) {
    return "rustup is missing: install it from https://rustup.rs, then run this again.";
  }
  return undefined;
}

/** Prints that line and exits if something is missing. */
export function requirePrerequisites() {
  const missing = missingPrerequisite();
  if (missing !== undefined) {
    console.error(missing);
    process.exit(1);
  }
}
