//! Strings and numbers of a line, and which of them may vary.

use crate::json::{Document, Kind, Value};
use crate::model::Limits;

/// Members whose values are only copied, besides token counts.
const FREE: [&str; 12] = [
    "id",
    "custom_id",
    "request_id",
    "call_id",
    "created",
    "created_at",
    "completed_at",
    "content",
    "text",
    "arguments",
    "encrypted_content",
    "system_fingerprint",
];

/// Token counts that respool doesn't read. Counts that aren't listed in this file may affect how others are read.
const UNREAD: [&str; 3] = ["accepted_prediction_tokens", "rejected_prediction_tokens", "text_tokens"];

/// Sum of two counts, which matters by itself if it isn't their sum.
const TOTAL: &str = "total_tokens";
const PARTS: [&str; 4] = ["prompt_tokens", "completion_tokens", "input_tokens", "output_tokens"];

/// Counts that the prompt tokens include or not, depending on other counts.
const CACHED: [&str; 2] = ["cache_read_input_tokens", "cache_creation_input_tokens"];

/// A string or a number of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaf {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_text: bool,
    pub(super) is_free: bool,
    pub(super) role: Role,
}

/// Relation of a count to other counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    None,
    Total,
    Part,
    Cached,
}

/// Returns the strings and numbers of a JSON text in order.
pub(super) fn leaves_of(text: &str) -> Option<Vec<Leaf>> {
    let document = Document::parse(text, Limits::default().max_depth).ok()?;
    let mut leaves = Vec::new();
    add_leaves(document.root(), false, Role::None, &mut leaves);
    Some(leaves)
}

fn add_leaves(value: Value<'_>, is_free: bool, role: Role, leaves: &mut Vec<Leaf>) {
    match value.kind() {
        Kind::Object => {
            for (name, member) in value.others(&[]) {
                let role = match &*name {
                    TOTAL => Role::Total,
                    name if PARTS.contains(&name) => Role::Part,
                    name if CACHED.contains(&name) => Role::Cached,
                    _ => Role::None,
                };
                let is_free = role != Role::None || FREE.contains(&&*name) || UNREAD.contains(&&*name);
                add_leaves(member, is_free, role, leaves);
            }
        }
        Kind::Array => {
            for item in value.items() {
                add_leaves(item, is_free, Role::None, leaves);
            }
        }
        kind @ (Kind::String | Kind::Number) => {
            let is_text = kind == Kind::String;
            if let Some(span) = value.span() {
                leaves.push(Leaf { start: span.start, end: span.end, is_text, is_free, role });
            }
        }
        Kind::Null | Kind::Boolean => {}
    }
}
