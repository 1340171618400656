//! Streams and bodies that are written in another interface: every case, in every target, at many cuts.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

mod corpus;

#[path = "encoding/anthropic.rs"]
mod anthropic;
#[path = "encoding/bodies.rs"]
mod bodies;
#[path = "encoding/chat.rs"]
mod chat;
#[path = "encoding/chat_bodies.rs"]
mod chat_bodies;
#[path = "encoding/custom.rs"]
mod custom;
#[path = "encoding/damage.rs"]
mod damage;
#[path = "encoding/deltas.rs"]
mod deltas;
#[path = "encoding/endings.rs"]
mod endings;
#[path = "encoding/failures.rs"]
mod failures;
#[path = "encoding/images.rs"]
mod images;
#[path = "encoding/lifecycle.rs"]
mod lifecycle;
#[path = "encoding/losses.rs"]
mod losses;
#[path = "encoding/objects.rs"]
mod objects;
#[path = "encoding/other_forms.rs"]
mod other_forms;
#[path = "encoding/passing.rs"]
mod passing;
#[path = "encoding/reading_back.rs"]
mod reading_back;
#[path = "encoding/reasons.rs"]
mod reasons;
#[path = "encoding/repeats.rs"]
mod repeats;
#[path = "encoding/responses.rs"]
mod responses;
#[path = "encoding/signatures.rs"]
mod signatures;
#[path = "encoding/sources.rs"]
mod sources;
#[path = "encoding/sse.rs"]
mod sse;
#[path = "encoding/text_metadata.rs"]
mod text_metadata;
