//! The boundary to JavaScript, which only converts. One file for each exported class or group of functions.
//!
//! The code that wasm-bindgen generates here is unsafe; there is no other unsafe code in the crate.
#![allow(unsafe_code)]
#![allow(unreachable_pub, reason = "what wasm-bindgen exports is not reached by a Rust path")]
// Exports are documented where users read it: in js/types/api.d.ts.
#![allow(missing_docs)]
#![allow(missing_debug_implementations, reason = "JavaScript shows objects in its own way")]

mod accumulator;
#[cfg(feature = "batch")]
mod batch;
mod codec;
mod deltas;
#[cfg(feature = "encode")]
mod encoder;
mod errors;
mod host;
mod inbox;
mod input;
mod js_document;
#[cfg(feature = "text")]
mod loops;
mod options;
mod partial;
#[cfg(feature = "planted-faults")]
mod planted;
mod process;
#[cfg(feature = "repair")]
mod repair;
mod repeats;
mod reserve;
#[cfg(feature = "runner")]
mod runner;
mod shared;
mod sse;
#[cfg(feature = "text")]
mod text;
mod units;
mod usage;

use wasm_bindgen::prelude::wasm_bindgen;

/// With the standard library's allocator, the compressed module is 2.7 KB larger.
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Runs when the module is loaded. Reports where a panic, which would be a bug, happened: see js/guard.js.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        host::panicked(&panic.to_string());
    }));
    host::set_memory(&wasm_bindgen::memory());
}
