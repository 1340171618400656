// Turns the failure of a program into a message for the user.
import { CommandError } from "./run-command.mjs";

/** The downloads that can fail: how each program reports that, and what to check besides the connection. */
const DOWNLOADS = [
  {
    command: /^rustup toolchain install/,
    what: "The Rust toolchain",
    reason: /error: (could not download file from '[^']+'|.*error sending request.*)/,
    check: "RUSTUP_DIST_SERVER",
  },
  {
    command: /^npm /,
    what: "The npm packages",
    reason:
      /npm error (?:code )?(E5\d\d|EAI_AGAIN|ECONN\w+|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ENOTCACHED|ERR_SOCKET_TIMEOUT|ETIMEDOUT|FETCH_ERROR)/,
    check: "npm's registry",
  },
  {
    command: /^cargo /,
    what: "The crates",
    reason: /((?:failed to download|download of|Unable to update|unable to get packages)[^\n]*)/,
    check: "cargo's registry",
  },
];

const AGAIN = "then run this again.";

/** Returns one line that says what failed and what to do, or undefined if only the program's output shows that. @param {CommandError} error */
export function adviceOn({ command, output, isMissing }) {
  if (isMissing && command.startsWith("cargo ")) {
    return `rustup is installed, but cargo isn't on the PATH: add the folder of rustup's commands (usually ~/.cargo/bin) to it, ${AGAIN}`;
  }
  if (command === "cargo --version") {
    return `cargo on the PATH isn't the one of rust-toolchain.toml (${output.trim()}): unset RUSTUP_TOOLCHAIN, put the folder of rustup's commands (usually ~/.cargo/bin) first in the PATH, ${AGAIN}`;
  }
  if (/^rustup toolchain install/.test(command) && /required arguments? (were|was) not provided/i.test(output)) {
    return `This rustup is too old: run \`rustup self update\`, ${AGAIN}`;
  }
  const download = DOWNLOADS.find((each) => each.command.test(command) && each.reason.test(output));
  if (download === undefined) return undefined;
  const reason = output.match(download.reason)?.[1];
  return `${download.what} can't be downloaded (${reason}): check the network connection, the proxy and ${download.check}, ${AGAIN}`;
}

/** Returns the explanation for the user. @param {CommandError} error */
export function explanationOf(error) {
  return adviceOn(error) ?? `${error.message}\n\n${error.output.trimEnd()}`;
}

/**
 * Runs `work`. If a program that it called fails, explains that and ends the process.
 *
 * @template T
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function orExplain(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(explanationOf(error));
    process.exit(1);
  }
}
