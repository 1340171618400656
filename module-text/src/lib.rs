//! Encodes a WebAssembly module as text for inlining into JavaScript. The text is compact and compresses well.
//!
//! The bytes are first separated into streams by their meaning: operators, locals, offsets … Similar bytes become
//! neighbours, which makes the gzipped size an eighth smaller and the brotli size a tenth. Then each byte is encoded as
//! one character, or as two if it is rare. Base64 would split bytes across characters and hide repetitions from the
//! compressor.
//!
//! [`pack()`] runs when the package is built. [`unpack()`] is compiled into a WebAssembly module of two kilobytes,
//! which restores the larger one in one or two milliseconds when the package loads; JavaScript would take several times
//! as long.

#![cfg_attr(target_family = "wasm", no_std)]
#![allow(
    clippy::indexing_slicing,
    reason = "arrays with an entry for each byte value are indexed by bytes, and those for each stream by streams"
)]

#[cfg(target_family = "wasm")]
mod boundary;
mod characters;
mod operators;
#[cfg(not(target_family = "wasm"))]
mod pack;
#[cfg(not(target_family = "wasm"))]
mod reader;
mod streams;
mod unpack;

#[cfg(not(target_family = "wasm"))]
pub use pack::{InvalidModule, Packed, pack};
pub use streams::STREAMS;
pub use unpack::unpack;
