//! OpenAI images, and compatible interfaces.
//! <https://platform.openai.com/docs/api-reference/images/object>

use crate::collect::Collect;
use crate::error::{Error, ErrorCode, Result};
use crate::json::Value;

/// Whether this is a response with images.
pub(super) fn is_body(body: Value<'_>) -> bool {
    let mut items = body.get_items("data");
    items
        .find(|item| !is_blank(*item))
        .is_some_and(|item| item.get("url").is_some() || item.get("b64_json").is_some())
}

/// Whether an item has nothing but the prompt: the image failed, or was filtered.
pub(crate) fn is_blank(item: Value<'_>) -> bool {
    item.is_object() && !item.has_others(&["revised_prompt"])
}

/// Returns the images of a response: the URL of each, or else its base64 data. Items with neither are skipped.
///
/// # Errors
/// [`ErrorCode::EmptyResponse`] if there are no images.
pub fn read_images(body: Value<'_>) -> Result<Vec<String>> {
    let items = body.get_items("data");
    let image = |item: Value<'_>| {
        let source = item.get_non_empty_text("url");
        source.or_else(|| item.get_non_empty_text("b64_json")).map(Into::into)
    };
    let images = items.filter_map(image).collect_vec();
    if images.is_empty() {
        return Err(Error::new(ErrorCode::EmptyResponse, "Empty image response"));
    }
    Ok(images)
}
