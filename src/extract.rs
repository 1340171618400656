//! Tool calls in a complete text.

use crate::accumulator::{Builder, Finish, Place, Recording};
use crate::json::Fragment;
use crate::model::{Extraction, FinishReason, Limits, StreamResult};
use crate::text::{Shared, TextOptions};

/// Extracts the tool calls and the reasoning that a model wrote into its text.
///
/// Only calls to the declared tools count. Rejected calls stay in the text and are listed in
/// [`Extraction::rejected`].
///
/// ```
/// use respool::json::Document;
/// use respool::text::TextOptions;
///
/// let json = r#"{"tools": [{"name": "tide"}], "formats": ["auto"]}"#;
/// let options = TextOptions::new(Document::parse(json, 64).unwrap().root()).unwrap();
/// let text = r#"Let me see. <tool_call>{"name": "tide", "arguments": {"at": "Brest"}}</tool_call>"#;
/// let found = respool::extract_tool_calls(text, options);
/// assert_eq!((found.text.as_str(), found.tool_calls[0].arguments.as_str()), ("Let me see. ", r#"{"at": "Brest"}"#));
/// ```
pub fn extract_tool_calls(text: &str, options: impl Into<Shared<TextOptions>>) -> Extraction {
    let mut builder = Builder::new(Limits::default(), Recording::Off);
    builder.search_text(options.into());
    builder.push_text(Place::first_choice(0, 0), &Fragment::from(text));
    // The text is complete.
    builder.finish(0, Finish { reason: FinishReason::Complete, raw: None, or_tool_use: false });
    builder.close_input();
    builder.finish_stream();
    let StreamResult { text, reasoning, tool_calls, tool_call_status, warnings, .. } =
        builder.result(crate::model::Ending::Complete, crate::accumulator::ProviderFields::default());
    let rejected = builder.take_rejected();
    Extraction { text, reasoning, tool_calls, tool_call_status, rejected, warnings }
}
