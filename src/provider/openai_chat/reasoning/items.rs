//! LiteLLM's `reasoning_items`: reasoning items of Responses, sent after `reasoning_content`, which has their summaries.
//! <https://github.com/BerriAI/litellm/pull/24690>

use super::ReasoningReader;
use crate::accumulator::Builder;
use crate::json::{Fragment, Value};
use crate::provider::OPENAI_FORMAT;

impl ReasoningReader {
    /// Reads items. The first one belongs to the text received so far. Summaries are only emitted if there is no such
    /// text.
    pub(super) fn read_items(&mut self, items: Value<'_>, out: &mut Builder) {
        let has_text = self.has_text();
        for item in items.items().filter(|item| item.is_object()) {
            let (id, data) = (item.get_non_empty("id"), item.get_non_empty("encrypted_content"));
            let mut views = (0..=self.block).map(|block| out.reasoning_view(self.block_place(block)));
            let is_known = |known: Option<&str>, id: Option<&str>| id.is_some() && known == id;
            if views.any(|view| is_known(view.id, id) || is_known(view.encrypted, data)) {
                continue;
            }
            let last = out.reasoning_view(self.plain_place());
            self.is_block_over |= last.id.or(last.encrypted).is_some();
            self.begin_text();
            let place = self.plain_place();
            for part in item.get_items("summary").filter(|_| !has_text) {
                let text = part.get_text("text").unwrap_or_default();
                self.has_text |= !text.is_empty();
                out.push_reasoning(place, &Fragment::from(&*text));
            }
            if let Some(id) = id {
                out.set_reasoning_id(place, id);
            }
            if let Some(data) = data {
                out.set_encrypted(place, data);
                out.set_reasoning_format(place, OPENAI_FORMAT);
            }
        }
    }
}
