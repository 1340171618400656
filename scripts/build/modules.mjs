// The builds of the crate as a WebAssembly module. Each has a folder, as a path from the root: `respool.wasm` is there,
// and in `wasm/` the glue of wasm-bindgen. All builds share one glue: see bundle.mjs.

/** In the order in which they matter: pages load the first one, servers and the command line the second. */
export const MODULES = {
  small: {
    folder: "pkg",
    cargo: ["--release"],
    // The features in use are named in the module itself by rustc, so none are named here.
    // Inlining functions that are called once, and sharing subexpressions, makes the module larger when it is
    // compressed. Rust never uses the lowest addresses. Control flow that is laid out anew is smaller, and no slower.
    wasmOpt: [
      ...["--flatten", "--rereloop", "-Oz", "--converge"],
      // Inlining what is hardly more than its call is worth the time. From 7 on it also inlines what drops a text that
      // may be borrowed, hundreds of times: 1.5 KB, for time that is hardly to be measured.
      "--always-inline-max-function-size=6",
      ...["--one-caller-inline-max-function-size=0", "--low-memory-unused", "--skip-pass=local-cse"],
    ],
  },
  // A tenth to a quarter less time, for two fifths more of the size: for whoever reads it from a disk.
  fast: {
    folder: "target/fast",
    cargo: ["--profile", "fast", "--features", "batch"],
    wasmOpt: ["-O3", "--low-memory-unused"],
  },
};

/** For npm start: it compiles in a fifth of the time. */
export const QUICK = { folder: "target/start", cargo: ["--profile", "quick"] };

/** Input can ask it for a panic or a trap: for tests/faults, and never shipped. */
export const PLANTED = {
  folder: "target/planted-faults",
  cargo: ["--profile", "quick", "--features", "planted-faults"],
};
