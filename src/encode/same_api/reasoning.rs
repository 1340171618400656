//! The reasoning of a chat completion, for which every server has its own names.

use crate::collect::Collect;
use crate::json::{Kind, Object, ObjectWriter, RawJson, Value, find};

/// Writes the text of the reasoning and its signatures into a message that already has the server's own members.
pub(super) fn write_reasoning(parts: &[Value<'_>], details: Option<Value<'_>>, message: &mut Object) {
    let text = parts.iter().filter_map(|part| part.get_text("text")).collect_string();
    if !text.is_empty() {
        write_text(&text, details, message);
    }
    // After a stream, the server's own member has only the last piece.
    let written = message.to_json();
    let is_missing = |part: &&Value<'_>| {
        let mut seals = ["signature", "encrypted"].into_iter().filter_map(|name| part.get_non_empty(name));
        seals.any(|seal| find(&written, RawJson::string(seal).get(), 0).is_none())
    };
    if !parts.iter().any(|part| is_missing(&part)) {
        return;
    }
    let is_alone = message.get("reasoning_details").is_none();
    for (index, part) in (0..).zip(parts.iter().filter(|part| is_alone || is_missing(part))) {
        write_entries(index, *part, message);
    }
}

/// Writes the text even beside `reasoning_details`, which few clients read.
fn write_text(text: &str, details: Option<Value<'_>>, message: &mut Object) {
    let known = details.and_then(|details| details.get("reasoning_content"));
    let mut written = RawJson::string(text);
    match known {
        // The object has the signature beside the text.
        Some(signed) if signed.kind() == Kind::Object => {
            let mut object = Object::default();
            object.set("text", written);
            object.put_others(signed, &["text"]);
            written = RawJson::of(&object);
        }
        // Another value differs from the details, unless it is Venice's placeholder for encrypted data that is in them.
        Some(other) => {
            let is_mark =
                other.text().is_some_and(|text| find(&text, "__ENCRYPTED_REASONING__", 0).is_some());
            if !is_mark && message.get("reasoning").is_none() {
                message.put("reasoning", other);
            }
        }
        None => {}
    }
    message.set("reasoning_content", written);
}

/// Adds a part to `reasoning_details`.
fn write_entries(index: u64, part: Value<'_>, message: &mut Object) {
    let id = part.get_non_empty("id");
    let [signature, data] = ["signature", "encrypted"].map(|name| part.get_non_empty(name));
    let text = part.get_text("text").unwrap_or_default();
    let text = Some(&*text).filter(|text| signature.is_some() || !text.is_empty());
    let entries = [("reasoning.text", text, signature, None), ("reasoning.encrypted", None, None, data)];
    for (kind, text, signature, data) in
        entries.into_iter().filter(|(_, text, _, data)| text.or(*data).is_some())
    {
        let mut entry = String::new();
        let mut object = ObjectWriter::new(&mut entry);
        object
            .member("type", &kind)
            .optional("text", text.as_ref())
            .optional("signature", signature.as_ref());
        object.optional("data", data.as_ref()).optional("id", id.as_ref()).member("index", &index).end();
        message.add_item("reasoning_details", RawJson::valid(entry));
    }
}
