//! Content beside the message of a choice, or instead of it.

use super::{Choice, ChoiceReader, Form, Message, Selection, is_empty_list};
use crate::accumulator::{Builder, Finish};
use crate::json::{Field, RawJson, Value};
use crate::provider::cost::read_gateway_cost;
use crate::provider::openai_chat::split::Piece;

impl Choice<'_> {
    /// Returns the cost that Vercel's gateway reports in the message or the delta.
    pub(in super::super) fn cost(&self) -> Option<RawJson> {
        let inner = [self.message(), self.delta()];
        inner.iter().flatten().find_map(|inner| read_gateway_cost(Message::of(*inner).rare_members()?))
    }
}

impl ChoiceReader {
    /// Reads the `messages` that some servers send instead of one message: search results, which later versions of
    /// Azure's On Your Data send as the message's `context`, and the response. `MiniMax` repeats them at the end of a
    /// stream.
    pub(super) fn read_messages(&mut self, choice: &Choice<'_>, finish: Option<&Finish>, out: &mut Builder) {
        for value in choice.messages().items() {
            let delta = value.get("delta").filter(|delta| delta.is_object());
            self.has_deltas |= delta.is_some();
            let message = Message::of(delta.unwrap_or(value));
            // Marks the end of a stream.
            if message.content().is_some_and(|content| content.is("[DONE]")) {
                continue;
            }
            if let Some(role) = message.role().non_empty() {
                self.is_context = matches!(role, "tool" | "user" | "system");
            }
            if self.is_context {
                self.read_context(&message, out);
            } else if delta.is_some() {
                self.read_message(&message, &Selection::all(Form::Delta), out);
            } else {
                self.read_whole(&message, finish, Piece::Whole, out);
            }
        }
    }

    /// Reads a message that isn't part of the response: the result of a tool that the server has run, whose call isn't
    /// for the client then, or search results.
    pub(super) fn read_context(&mut self, message: &Message<'_>, out: &mut Builder) {
        if let Some(id) = message.rare_members().and_then(|all| all.get_string("tool_call_id")) {
            return self.read_result(id, message, out);
        }
        let Some(content) = message.content() else { return };
        match content.text().and_then(|text| RawJson::parse(&*text)) {
            Some(known) => self.message_members.set("context", known),
            None => self.message_members.append("context", content),
        }
    }

    /// Reads members that belong in the message or the delta, but are beside it.
    pub(super) fn read_misplaced(&mut self, choice: &Choice<'_>, out: &mut Builder) {
        // For Cohere's models, Oracle's service sends all calls here, and repeats them at the end.
        let all_calls = choice.tool_calls_in_camel().filter(|_| self.calls.is_empty());
        let tool_calls = choice.tool_calls().or(all_calls);
        // OpenRouter sends reasoning beside the `text` of the legacy interface.
        let others = Some(choice.whole).filter(|_| choice.has_unread());
        let reasoning = choice.reasoning_content().or_else(|| others?.get("reasoning"));
        if choice.content().or(tool_calls).or(reasoning).is_none() {
            return;
        }
        let inner = choice.delta().or(choice.message());
        let is_lacking = |name, beside: Option<Value<'_>>| {
            let has_value = |value: Value<'_>| !value.is("") && !is_empty_list(value);
            beside.said().is_some() && !inner.and_then(|inner| inner.get(name)).is_some_and(has_value)
        };
        // At the end, the content may repeat the whole text.
        let known = self.text_place().filter(|_| choice.reason().is_some()).map(|place| out.text_at(place));
        let is_repeat = known.is_some_and(|known| choice.content().equals(known));
        let wanted = Selection {
            form: if choice.message().is_some() { Form::Whole } else { Form::Delta },
            content: is_lacking("content", choice.content()) && !is_repeat,
            reasoning: is_lacking("reasoning_content", reasoning) && is_lacking("reasoning", reasoning),
            calls: is_lacking("tool_calls", tool_calls),
            media: false,
            refusal: false,
        };
        if wanted.content || wanted.reasoning || wanted.calls {
            self.read_selected(&Message::of(choice.whole), &wanted, out);
        }
    }
}
