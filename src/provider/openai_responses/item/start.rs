//! Reading of announced items.

use super::{Item, Stage};
use crate::accumulator::Builder;
use crate::json::Value;
use crate::provider::openai_responses::echo::Echo;
use crate::provider::openai_responses::parts::complete_part;
use crate::provider::openai_responses::role::Role;
use crate::provider::openai_responses::streamed_field::STREAMED_FIELDS;
use crate::provider::openai_responses::whole::{parts_in, reasoning_text};

impl Item {
    /// Reads the announced item.
    pub(in super::super) fn start(&mut self, item: Value<'_>, out: &mut Builder) {
        if self.stage == Stage::Done {
            return;
        }
        self.update(item, out);
        self.stage = Stage::Added;
        match self.role {
            Role::Message => {
                self.keep_phase(item, out);
                for (index, part) in (0..).zip(parts_in(item, "content")) {
                    self.start_part(index, part, out);
                }
            }
            Role::Reasoning => {
                self.keep_encrypted(item, out);
                self.start_reasoning(item, out);
            }
            // Perplexity announces the calls of its own tools as complete, and ends them as items of other types.
            Role::Call(_)
                if self.spots.is_empty() && item.get("status").is_some_and(|it| it.is("completed")) => {}
            Role::Call(tool) => self.start_call(tool, item, out),
            // It's unknown who runs these calls until they have an action.
            Role::Part if matches!(&*self.type_name, "computer_call" | "openrouter:apply_patch") => {}
            Role::Part => {
                self.set_part(false, out);
                let streamed = STREAMED_FIELDS
                    .iter()
                    .find(|field| field.item == self.type_name && field.leaf.is_empty());
                if let Some(text) = streamed.and_then(|field| item.get_non_empty(field.member)) {
                    self.echo = Echo::new(text);
                }
            }
        }
    }

    /// Reads the start of a message part, in which some servers send text.
    pub(super) fn start_part(&mut self, index: u64, part: Value<'_>, out: &mut Builder) {
        if !self.is_streamed() {
            return;
        }
        let place = self.place(index);
        let text = part.first_non_empty(&["text", "refusal"]);
        if let (Some(text), "", "") = (text, out.text_at(place), out.refusal_at(place)) {
            complete_part(place, part, out);
            self.echo.expect(text);
        }
    }

    /// Reads the reasoning in an announced item, in which some servers send all of it.
    fn start_reasoning(&mut self, item: Value<'_>, out: &mut Builder) {
        for member in ["summary", "content"] {
            let text = reasoning_text(item, member);
            if self.emitted_member.is_none() && !text.is_empty() {
                self.emitted_member = Some(member);
                out.complete_reasoning(self.place(0), &text);
                let said = item.first_non_empty(&[member, "text"]);
                self.echo.expect(said.unwrap_or_default());
                for part in item.get_items(member) {
                    self.echo.expect(&part.get_text("text").unwrap_or_default());
                }
            }
        }
    }
}
