//! Adds fragments and complete values to the fields of an item.

use super::{Frame, Item};
use crate::accumulator::Builder;
use crate::json::{Fragment, RawJson, Value, strip_long_prefix};
use crate::provider::node::{Node, escaped};
use crate::provider::openai_responses::client_tools::arguments_at;
use crate::provider::openai_responses::echo::Echo;
use crate::provider::openai_responses::role::Role;
use crate::provider::openai_responses::streamed_field::StreamedField;
use crate::provider::openai_responses::whole::{PARAGRAPH_BREAK, needs_paragraph_break};

impl Item {
    pub(in super::super) fn push(
        &mut self,
        field: &'static StreamedField,
        index: u64,
        piece: &Fragment<'_>,
        out: &mut Builder,
    ) {
        if let Some(piece) = &self.echo.new_text(piece.clone()) {
            self.emit(field, index, piece, out);
            let is_of_call = field.member == "arguments" && matches!(self.role, Role::Call(_));
            let leaf = self.leaf(field, index);
            if !is_of_call {
                leaf.push(piece);
            } else if !leaf.is_empty() {
                // The call has the earlier arguments, too, and recognises repetitions.
                leaf.set_text("");
            }
        }
    }

    /// Adds what is missing of a field's complete value. A value that came at the start may be repeated in deltas.
    pub(super) fn complete(
        &mut self,
        field: &'static StreamedField,
        index: u64,
        whole: &str,
        is_start: bool,
        out: &mut Builder,
    ) {
        if is_start && !whole.is_empty() && self.leaf(field, index).text() == whole {
            return;
        }
        if let Role::Call(_) = self.role {
            self.open_string(field, index, out);
        }
        let known = self.leaf(field, index).text();
        let is_new = known.is_empty();
        let rest = strip_long_prefix(whole, &known);
        match rest {
            // Later texts may still be repeated.
            Some("") => self.echo.confirm(whole),
            None if whole.is_empty() => {}
            _ => self.echo = Echo::default(),
        }
        match rest {
            Some(rest) => self.push(field, index, &Fragment::from(rest), out),
            None if whole.is_empty() => {}
            None => match field.leaf {
                "text" if field.item != "reasoning" && self.is_streamed() => {
                    out.complete_text(self.place(index), whole);
                }
                "refusal" if self.is_streamed() => out.complete_refusal(self.place(index), whole),
                _ => self.leaf(field, index).set_text(whole),
            },
        }
        if is_start && is_new {
            self.echo = Echo::new(whole);
        }
    }

    /// Emits a fragment.
    pub(in super::super) fn emit(
        &mut self,
        field: &'static StreamedField,
        index: u64,
        piece: &Fragment<'_>,
        out: &mut Builder,
    ) {
        match self.role {
            Role::Message if field.leaf == "refusal" => out.push_refusal(self.place(index), piece),
            Role::Message if field.part == "reasoning_text" => out.push_reasoning(self.place(index), piece),
            Role::Message => out.push_text(self.place(index), piece),
            Role::Reasoning => {
                if piece.is_empty() || *self.emitted_member.get_or_insert(field.member) != field.member {
                    return;
                }
                let is_first = field.member == "summary" && self.leaf(field, index).is_empty();
                if is_first && needs_paragraph_break(out.reasoning_at(self.place(0)), &piece.text) {
                    out.push_reasoning(self.place(0), &Fragment::from(PARAGRAPH_BREAK));
                }
                out.push_reasoning(self.place(0), piece);
            }
            Role::Call(_) if field.member == "arguments" => out.push_arguments(self.place(0), piece),
            Role::Call(_) => {
                if self.open_string(field, index, out) {
                    out.push_arguments(self.place(0), &escaped(piece));
                }
            }
            Role::Part => {}
        }
    }

    /// Moves to the string at this index in a call's arguments, and opens it if it is new. Returns whether it is open.
    pub(super) fn open_string(&mut self, field: &StreamedField, index: u64, out: &mut Builder) -> bool {
        let place = self.place(0);
        match self.frame {
            Frame::Unopened => {
                let opening = match field.leaf {
                    _ if !arguments_at(place, out).is_empty() => None,
                    "" => Some("\"".to_owned()),
                    leaf => self.node.member(field.member).json_up_to(leaf),
                };
                self.frame = if opening.is_some() { Frame::Open(index) } else { Frame::Unknown };
                out.push_arguments(place, &Fragment::from(&*opening.unwrap_or_default()));
            }
            Frame::Open(open) if open < index => {
                out.push_arguments(place, &Fragment::from("\",\""));
                self.frame = Frame::Open(index);
            }
            _ => {}
        }
        matches!(self.frame, Frame::Open(open) if open == index)
    }

    /// Appends the output of a shell command that the provider ran: fragments of `stdout` and `stderr`, or all of it.
    pub(super) fn append_output(&mut self, index: u64, event: Value<'_>) {
        let output = self.node.member("output").item(index);
        for name in ["stdout", "stderr"] {
            if let Some(piece) = event.get("delta").and_then(|delta| delta.get_fragment(name)) {
                output.member(name).push(&piece);
            }
        }
        if let Some(raw) = event.get_items("output").next().and_then(Value::raw) {
            output.set(raw);
        }
    }

    /// Returns the part or the member that contains a field.
    pub(super) fn part(&mut self, field: &StreamedField, index: u64) -> &mut Node {
        let member = self.node.member(field.member);
        if field.part.is_empty() {
            return member;
        }
        let part = member.item(index);
        if part.is_empty() {
            part.member("type").set_text(field.part);
            if field.part == "output_text" && field.member == "content" {
                part.member("text").set_text("");
                part.member("annotations").set(RawJson::of(&Vec::<RawJson>::new()));
            }
        }
        part
    }

    /// Returns the JSON of a field.
    pub(super) fn leaf(&mut self, field: &StreamedField, index: u64) -> &mut Node {
        let part = self.part(field, index);
        match field.leaf {
            "" => part,
            "commands" => part.member("commands").item(index),
            leaf => part.member(leaf),
        }
    }
}
