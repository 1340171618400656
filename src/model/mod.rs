//! The normalised types that every provider's response is decoded into.
//!
//! JavaScript sees the same shapes with camelCase fields; the TypeScript types are generated from these types. Fields
//! that are `None` or empty are omitted, so a missing count is never confused with 0.

mod agent;
mod api;
mod api_specific;
mod content;
mod delta;
mod extraction;
mod failure;
mod finish_reason;
mod limits;
mod response;
mod standalone;
mod stream_result;
mod to_json;
mod tool_call;
mod usage;
mod vectors;
mod warning;

pub use agent::Agent;
pub use api::Api;
pub use api_specific::{ApiSpecific, ChoiceDetails};
pub use content::ContentPart;
pub use delta::{Delta, JsonIndex};
pub use extraction::{Extraction, RejectReason, RejectedToolCall};
pub use failure::{Failure, FailureCode};
pub use finish_reason::FinishReason;
pub(crate) use finish_reason::{Meaning, has_failed, is_error, is_under_way, meaning_of};
pub use limits::Limits;
pub use response::{AnnotatedLlmResponse, Choice, MessageContent, ResponseToolCall};
pub use standalone::Alone;
pub use stream_result::{Ending, StreamResult};
pub use tool_call::{ToolCall, ToolCallStatus};
pub use usage::Usage;
pub use vectors::{Vector, Vectors};
pub use warning::{Warning, WarningCode};

/// Whether to omit a numeric field because it is 0.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
