//! The normalised types: what every provider's answer is turned into.
//!
//! They are the shapes that users see. In JavaScript their fields are in camelCase, and their TypeScript
//! types are generated from here. A field that is `None` or empty is left out, so that missing is never 0.

mod agent;
mod api;
mod content;
mod delta;
mod extraction;
mod failure;
mod finish_reason;
mod limits;
mod response;
mod stream_result;
mod to_json;
mod tool_call;
mod usage;
mod vectors;
mod warning;

pub use agent::Agent;
pub use api::Api;
pub use content::ContentPart;
pub use delta::{Delta, JsonIndex};
pub use extraction::{Extraction, RejectReason, RejectedToolCall};
pub use failure::{Failure, FailureCode};
pub use finish_reason::FinishReason;
pub use limits::Limits;
pub use response::{
    AnnotatedLlmResponse, ApiSpecific, Choice, ChoiceDetails, MessageContent, ResponseToolCall,
};
pub use stream_result::{Ending, StreamResult};
pub use tool_call::{ToolCall, ToolCallStatus};
pub use usage::Usage;
pub use vectors::{Vector, Vectors};
pub use warning::{Warning, WarningCode};

/// Whether a number is 0, for fields that are left out then.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
