// The messages of npm start and npm test on an incomplete machine: one line that says what to do.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { transform } from "esbuild";
import { ROOT } from "../../scripts/paths.mjs";
import { runOn } from "./machine.mjs";

const COMMANDS = ["scripts/start.mjs", "scripts/test.mjs", "scripts/build.mjs"];

/** Prints these lines on stderr, and fails. */
const fails = (...lines) => [...lines.map((line) => `echo '${line.replaceAll("'", "'\\''")}' >&2`), "exit 1"].join("\n");

/** A program that takes longer than the others. */
const UNDER_WAY = "exec /bin/sleep 30";

const RUSTUP = "exit 0";
const NPM = "exit 0";
const CARGO = `[ "$1" = --version ] && echo "cargo 1.95.0 (f2d3ce0bd 2026-03-21)"`;

/** Checks that the command fails with only this line, apart from the progress that a slow machine shows. */
function checkLine({ status, stdout, stderr }, expected) {
  const lines = stderr.trimEnd().split("\n");
  const [line, ...others] = lines.filter((each) => !/ …$|: done in \d+ s$/.test(each));
  assert.match(line, expected);
  assert.deepEqual(others, []);
  assert.equal(stdout, "");
  assert.equal(status, 1);
}

for (const command of COMMANDS) {
  describe(command, () => {
    test("says that Node is too old", () => {
      checkLine(
        runOn(command, {}, { node: "18.20.4" }),
        /^Node\.js 18\.20\.4 is too old: install version 20 or newer from https/,
      );
    });

    test("is parsed by a Node that is too old", async () => {
      for (const file of [command, "scripts/prerequisites.mjs"]) {
        const source = readFileSync(join(ROOT, file), "utf8");
        const compiled = async (target) => (await transform(source, { target, format: "esm" })).code;
        assert.equal(await compiled("es2018"), await compiled("esnext"), file);
        const imports = source.matchAll(/^import .*"(.*)";$/gm);
        for (const [, path] of imports)
          assert.ok(["./prerequisites.mjs", "node:child_process"].includes(path), `${file}: ${path}`);
      }
    });

    test("says that rustup is missing", () => {
      checkLine(runOn(command, {}), /^rustup is missing: install it from https:\/\/rustup\.rs, then run this again\.$/m);
    });

    test("says that the toolchain can't be downloaded", () => {
      const rustup = `[ "$1" = --version ] && exit 0\n${fails(
        "info: syncing channel updates for 1.95-x86_64-unknown-linux-gnu",
        "error: could not download file from 'https://static.test/channel-rust-1.95.toml.sha256' to '/tmp/x_file'",
        "Caused by:",
        "    0: error downloading file",
        "Stack backtrace:",
        "   0: <E as anyhow::context::ext::StdError>::ext_context",
      )}`;
      checkLine(
        runOn(command, { rustup, npm: NPM, cargo: CARGO }),
        /^The Rust toolchain can't be downloaded \(could not download file from 'https:\S+'\): check the network connection, .*then run this again\.$/m,
      );
    });

    test("says that rustup is too old", () => {
      const rustup = `[ "$1" = --version ] && exit 0\n${fails(
        "error: the following required arguments were not provided:",
        "  <toolchain>...",
      )}`;
      checkLine(runOn(command, { rustup, npm: NPM, cargo: CARGO }), /^This rustup is too old: run `rustup self update`, then/);
    });

    test("says that cargo is not on the PATH", () => {
      checkLine(runOn(command, { rustup: RUSTUP, npm: NPM }), /^rustup is installed, but cargo isn't on the PATH: add /);
    });

    test("says that cargo is of another toolchain", () => {
      checkLine(
        runOn(command, { rustup: RUSTUP, npm: NPM, cargo: "echo cargo 1.75.0" }),
        /^cargo on the PATH isn't the one of rust-toolchain\.toml \(cargo 1\.75\.0\): unset RUSTUP_TOOLCHAIN, /,
      );
    });

    test("installs the toolchain before it checks or runs cargo", () => {
      // Behaves as rustup's cargo does without the toolchain and with RUSTUP_AUTO_INSTALL=0.
      const cargo = `[ -e "$FOLDER/toolchain" ] || { ${fails("error: toolchain '1.95' is not installed").replaceAll("\n", "; ")}; }
        ${CARGO} && exit 0
        echo "the crates come next" >&2; exit 1`;
      const rustup = `[ "$1 $2" = "toolchain install" ] && : > "$FOLDER/toolchain"; exit 0`;
      const { stderr } = runOn(command, { rustup, cargo, npm: fails("the packages come next") });
      assert.doesNotMatch(stderr, /not installed/);
      assert.match(stderr, /the (crates|packages) come next/);
    });
  });
}

for (const command of ["scripts/start.mjs", "scripts/build.mjs"]) {
  test(`${command} says that the crates can't be downloaded`, () => {
    const cargo = `${CARGO} && exit 0\n${fails(
      "    Updating crates.io index",
      "error: failed to get `memchr` as a dependency of package `respool v0.1.0 (/tmp/respool)`",
      "Caused by:",
      "  download of config.json failed",
      "Caused by:",
      "  failed to download from `https://index.test/config.json`",
      "Caused by:",
      "  [7] Could not connect to server (Failed to connect to 127.0.0.1 port 9 after 0 ms)",
    )}`;
    checkLine(
      runOn(command, { rustup: RUSTUP, npm: UNDER_WAY, cargo }),
      /^The crates can't be downloaded \(download of config\.json failed\): check the network connection, /,
    );
  });
}

for (const command of ["scripts/test.mjs", "scripts/build.mjs"]) {
  test(`${command} says that the npm packages can't be downloaded`, () => {
    const npm = fails(
      "npm warn Unknown user config",
      "npm error code ENOTFOUND",
      "npm error syscall getaddrinfo",
      "npm error network request to https://registry.test/zod failed, reason: getaddrinfo ENOTFOUND registry.test",
      "npm error network This is a problem related to network connectivity.",
    );
    const cargo = `${CARGO} && exit 0\n${UNDER_WAY}`;
    checkLine(
      runOn(command, { rustup: RUSTUP, cargo, npm }),
      /^The npm packages can't be downloaded \(ENOTFOUND\): check the network connection, the proxy and npm's registry, then/,
    );
  });
}

test("any other failure is shown with the program's output", () => {
  const { status, stderr } = runOn("scripts/start.mjs", {
    rustup: RUSTUP,
    cargo: `${CARGO} && exit 0\n${fails("error: expected one of `!` or `::`")}`,
  });
  assert.match(stderr, /^cargo .* failed with exit code 1\n\nerror: expected one of `!` or `::`$/m);
  assert.equal(status, 1);
});

test("the tool in bindgen/ has the version of wasm-bindgen in the module", () => {
  const version = (lock, crate) => readFileSync(join(ROOT, lock), "utf8").match(`name = "${crate}"\nversion = "(.*)"`)[1];
  assert.equal(version("bindgen/Cargo.lock", "wasm-bindgen-cli-support"), version("Cargo.lock", "wasm-bindgen"));
});
