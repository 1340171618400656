//! Reading of complete items.

use super::{Item, Stage};
use crate::accumulator::{Builder, Cut, PartKind, Place};
use crate::collect::Collect;
use crate::json::{Fragment, Value, strip_long_prefix};
use crate::provider::extra_content::read_call_signature;
use crate::provider::openai_responses::client_tools::call_id;
use crate::provider::openai_responses::echo::Echo;
use crate::provider::openai_responses::parts::complete_part;
use crate::provider::openai_responses::role::Role;
use crate::provider::openai_responses::streamed_field::STREAMED_FIELDS;
use crate::provider::openai_responses::whole::{parts_in, reasoning_text, refusal_of, text_of, whole_text};

impl Item {
    /// Reads the complete item, and adds what is missing. `is_cut`: the answer ended before the item did.
    pub(in super::super) fn finish(&mut self, item: Value<'_>, is_cut: bool, out: &mut Builder) {
        self.update(item, out);
        match self.role {
            Role::Message => {
                self.keep_phase(item, out);
                if !self.spots.is_empty()
                    && self.repeats_all(&self.text(out), &whole_text(item), self.place(u64::MAX), out)
                {
                    self.keep_own_text(out);
                } else {
                    self.finish_message(item, out);
                }
                self.finish_refusal(item, out);
            }
            Role::Reasoning => {
                self.keep_encrypted(item, out);
                let last = if self.emitted_member == Some("content") { "summary" } else { "content" };
                let first = if last == "content" { "summary" } else { "content" };
                for member in [first, last] {
                    let text = reasoning_text(item, member);
                    if !text.is_empty() {
                        self.emitted_member.get_or_insert(member);
                        out.complete_reasoning(self.place(0), &text);
                        break;
                    }
                }
            }
            Role::Call(tool) => {
                // The complete item may leave out the tool's name.
                self.open_held_back(out);
                tool.complete(self.place(0), call_id(item), item, out);
                read_call_signature(item, self.place(0), out);
                if is_cut || item.get("status").is_some_and(|status| status.is("incomplete")) {
                    out.cut_call(self.place(0), Cut::Surely);
                } else {
                    out.stop_call(self.place(0));
                }
            }
            Role::Part => self.set_part(true, out),
        }
        self.stage = Stage::Done;
        self.echo = Echo::default();
    }

    /// Whether a message or a part of it, with `own` text, ends with all text of the answer so far.
    pub(super) fn repeats_all(&self, own: &str, whole: &str, place: Place, out: &Builder) -> bool {
        whole.len() > own.len() && self.is_streamed() && out.is_all_text(PartKind::Text, place, whole)
    }

    /// Restores the text of each part in the item, which ended with that of other items, too.
    fn keep_own_text(&mut self, out: &Builder) {
        if let Some(field) = STREAMED_FIELDS.first() {
            for index in self.spots.indices().collect_vec() {
                let place = self.place(index);
                self.leaf(field, index).set_text(out.text_at(place));
            }
        }
    }

    /// Adds what is missing of a complete message. Some servers count its parts differently than in the stream, so if
    /// the parts differ, the complete text is compared.
    fn finish_message(&mut self, item: Value<'_>, out: &mut Builder) {
        if let Some(text) = item.first_non_empty(&["content", "text"]) {
            let index = self.spots.resolve_index(Some(self.spots.nth(0)), "text", false, false);
            return out.complete_text(self.place(index), text);
        }
        let count = parts_in(item, "content").count();
        let begins = |(nth, part): (usize, Value<'_>)| {
            let known = out.text_at(self.place(self.spots.of_part(nth, count)));
            part.get_non_empty("text").is_none_or(|text| strip_long_prefix(text, known).is_some())
        };
        let parts = || parts_in(item, "content").enumerate();
        let has_all = count >= self.spots.indices().count() || text_of(item, "content").is_empty();
        if has_all && parts().all(begins) {
            for (nth, part) in parts() {
                let index = self.spots.of_part(nth, count);
                self.spots.resolve_index(Some(index), "text", true, false);
                complete_part(self.place(index), part, out);
            }
            return;
        }
        let (said, whole) = (self.text(out), text_of(item, "content"));
        let place = self.place(self.spots.latest("text").unwrap_or_else(|| self.spots.nth(0)));
        match strip_long_prefix(&whole, &said) {
            Some(rest) => out.push_text(place, &Fragment::from(rest)),
            None => out.complete_text(place, &whole),
        }
    }

    /// Reads a refusal beside the parts of a message, where chat completions have it.
    fn finish_refusal(&mut self, item: Value<'_>, out: &mut Builder) {
        let refusal = item.get_non_empty("refusal").filter(|_| refusal_of(item).is_empty());
        if let Some(refusal) = refusal {
            let after_parts = self.spots.nth(item.get_items("content").count());
            let index = self.spots.latest("refusal").unwrap_or(after_parts);
            self.spots.resolve_index(Some(index), "refusal", true, false);
            out.complete_refusal(self.place(index), refusal);
        }
    }

    /// Reads a complete part of a message.
    pub(super) fn complete_part(&self, index: u64, part: Value<'_>, out: &mut Builder) {
        if self.is_streamed() {
            complete_part(self.place(index), part, out);
        }
    }

    pub(super) fn keep_phase(&self, item: Value<'_>, out: &mut Builder) {
        if let Some(phase) = item.get_non_empty("phase") {
            out.set_phase(self.place(0), phase);
        }
    }

    pub(super) fn keep_encrypted(&self, item: Value<'_>, out: &mut Builder) {
        if let Some(id) = item.get_non_empty("id") {
            out.set_reasoning_id(self.place(0), id);
        }
        // Reasoning from other providers has the name of its format.
        if let Some(format) = item.get_non_empty("format") {
            out.set_reasoning_format(self.place(0), format);
        }
        let signature = item.get_non_empty("signature");
        if let Some(signature) = &signature
            && out.signature_at(self.place(0)).is_none()
        {
            out.push_signature(self.place(0), signature);
        }
        // OpenAI encrypts the reasoning anew in the final response. The version at the end of the item stays.
        let is_settled = self.stage == Stage::Done && out.reasoning_view(self.place(0)).encrypted.is_some();
        let encrypted = item.first_non_empty(&["encrypted_content", "encryptedContent"]);
        if let Some(data) = encrypted.filter(|data| Some(data) != signature.as_ref())
            && !is_settled
        {
            out.set_encrypted(self.place(0), data);
        }
    }
}
