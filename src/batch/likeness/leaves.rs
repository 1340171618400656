//! The strings and numbers of a line, and which of them may be others.

use crate::json::{Document, Kind, Value};
use crate::model::Limits;

/// The members whose values say nothing by themselves, besides those that count tokens.
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

/// Counts that nobody reads. On any that isn't named here or below it may depend how others are counted.
const UNREAD: [&str; 3] = ["accepted_prediction_tokens", "rejected_prediction_tokens", "text_tokens"];

/// The sum of two counts, which says something by itself where it is another number.
const TOTAL: &str = "total_tokens";
const PARTS: [&str; 4] = ["prompt_tokens", "completion_tokens", "input_tokens", "output_tokens"];

/// Counts that are beside those of the prompt, or among them, as the others say.
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

/// What a count has to do with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    None,
    Total,
    Part,
    Cached,
}

/// The strings and numbers of a JSON text, in their order.
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
