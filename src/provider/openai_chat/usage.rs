//! Token counts of chat completions.
//! <https://platform.openai.com/docs/api-reference/chat/object#chat/object-usage>

use crate::json::Value;
use crate::model::Usage;
use crate::provider::token_counts::{Convention, read_usage};

/// The usage of a body or chunk: at the top, in the first choice (Moonshot), or in `x_groq`.
pub(super) fn find_usage(body: Value<'_>) -> Option<Usage> {
    let in_choice = || body.get("choices")?.items().next()?.get("usage");
    let in_groq = || body.get("x_groq")?.get("usage");
    let found = body.get("usage").or_else(in_choice).or_else(in_groq)?;
    found.is_object().then(|| read_usage(found, Convention::Chat))
}
