// The builds of the crate as a WebAssembly module.

/**
 * @typedef {object} Module
 * @property {string} folder relative to the root: contains `respool.wasm`, and in `wasm/` the output of wasm-bindgen
 * @property {string[]} cargo options of cargo build
 */

/** @typedef {Module & { wasmOpt: string[] }} OptimisedModule `wasmOpt`: options of wasm-opt */

// rustc names the WebAssembly features in the module. Inlining functions that are called once, and sharing subexpressions,
// makes the compressed module larger. Rust never uses the lowest addresses. Rebuilding the control flow makes the module
// smaller, and no slower. Two rounds come out smaller than `--converge`, in half of the time.
const ROUND = ["--flatten", "--rereloop", "-Oz"];
const SMALLEST = [
  ...[...ROUND, ...ROUND],
  // Inlining a function hardly larger than its call saves time. From 7 on, wasm-opt also inlines hundreds of drops of
  // `Cow<str>`, which costs 1.5 KB and saves no measurable time.
  "--always-inline-max-function-size=6",
  ...["--one-caller-inline-max-function-size=0", "--low-memory-unused", "--skip-pass=local-cse"],
  // wasm-bindgen sorts functions by their length. Those with similar names have similar code, so gzip saves 3 KB.
  "--reorder-functions-by-name",
];

/**
 * Pages load the small one, the core or the encoder; servers and the command line load the fast one. All have the same
 * profile, so that they share what they depend on.
 *
 * @satisfies {Record<string, OptimisedModule>}
 */
export const MODULES = {
  // 10–25 % faster and 40 % larger, for modules that are read from a disk.
  fast: {
    folder: "target/fast",
    cargo: ["--release", "--config", "profile.release.opt-level=3", "--features", "batch,encode"],
    wasmOpt: ["-O3", "--low-memory-unused"],
  },
  // For respool/encode in pages and workers.
  encode: {
    folder: "target/encode",
    cargo: ["--release", "--no-default-features", "--features", "interfaces,text,encode"],
    wasmOpt: SMALLEST,
  },
  small: { folder: "pkg", cargo: ["--release"], wasmOpt: SMALLEST },
  // For respool/core: three interfaces, without text search, repair and runner.
  core: { folder: "target/core", cargo: ["--release", "--no-default-features"], wasmOpt: SMALLEST },
};

/** For builds that must finish soon rather than be small. All builds share the compiled macros. */
const UNOPTIMISED = [
  "--release",
  ...["opt-level=0", 'lto="off"', "codegen-units=16"].flatMap((setting) => ["--config", `profile.release.${setting}`]),
];

/** For npm start: compiles in a fifth of the time. @type {Module} */
export const QUICK = { folder: "target/start", cargo: UNOPTIMISED };

/** For tests/faults, and never shipped: its input can request a panic or a trap. @type {Module} */
export const PLANTED = { folder: "target/planted-faults", cargo: [...UNOPTIMISED, "--features", "planted-faults"] };
