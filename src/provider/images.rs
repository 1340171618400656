//! OpenAI images, and everything compatible with them.
//! <https://platform.openai.com/docs/api-reference/images/object>

use crate::error::{Error, ErrorCode, Result};
use crate::json::Value;

/// Whether this is an answer with images.
pub(super) fn is_body(body: Value<'_>) -> bool {
    let mut items = body.get_items("data");
    items
        .find(|item| !is_blank(*item))
        .is_some_and(|item| item.get("url").is_some() || item.get("b64_json").is_some())
}

/// Whether an item says nothing of an image but the prompt: it failed, or was filtered.
pub(crate) fn is_blank(item: Value<'_>) -> bool {
    item.is_object() && !item.has_others(&["revised_prompt"])
}

/// The images of an answer: the address of each, else its bytes in base64. Items with neither are skipped.
///
/// # Errors
/// [`ErrorCode::EmptyResponse`] where there are none.
pub fn read_images(body: Value<'_>) -> Result<Vec<String>> {
    let items = body.get_items("data");
    let image = |item: Value<'_>| {
        let source = item.get_non_empty_text("url");
        source.or_else(|| item.get_non_empty_text("b64_json")).map(Into::into)
    };
    let images: Vec<String> = items.filter_map(image).collect();
    if images.is_empty() {
        return Err(Error::new(ErrorCode::EmptyResponse, "Empty image response"));
    }
    Ok(images)
}
