//! A WebAssembly module as text, for a page that has the module inside: text that is no larger than it must be, and
//! small when the page is compressed.
//!
//! The bytes are sorted by what they are: operators, locals, offsets … Like lies beside like, so that gzip makes an
//! eighth less of them, and brotli a tenth. Then each byte becomes a character, or two where it is rare: base64 would
//! cut bytes into pieces, of which no two are alike.
//!
//! [`pack()`] runs when the package is built; [`unpack()`] is a module of its own, of two kilobytes, which makes the
//! larger one from its text wherever that is loaded. It takes a millisecond or two, and JavaScript several times as long.

#![cfg_attr(target_family = "wasm", no_std)]
#![allow(clippy::indexing_slicing, reason = "arrays of all bytes by bytes, and of all streams by streams")]

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
pub use pack::{NoModule, Packed, pack};
pub use streams::STREAMS;
pub use unpack::unpack;
