//! One choice: its message, or the deltas of its message.

mod index;
mod misplaced;
mod selection;
mod whole;

pub(super) use index::counts_tokens;
use whole::repeats_delta;

use super::message::Message;
use super::reasoning::{ReasoningReader, join_thoughts};
use super::server_tools::{EXECUTED_TOOLS, ServerTool};
use super::split::Piece;
use super::tool_calls::{ToolCallReader, is_empty_list};
use crate::accumulator::{Builder, Finish, Place, Slot};
use crate::json::{Field, Kind, Object, RawJson, Value, fields};
use crate::keyed::Keyed;
use crate::model::{ChoiceDetails, Failure, FailureCode, FinishReason, meaning_of};
use crate::provider::call_entry::is_blank;
use crate::provider::stop_word::{finish_of, is_error};
use crate::save::state;
use selection::{Form, Selection};

fields! {
    /// A choice. `text` repeats the delta (Together), or belongs to the legacy interface.
    pub(super) struct Choice {
        index: Number,
        finish_reason: String,
        message: Object,
        messages: Array,
        logprobs: Object | Number,
        delta: Object | String,
        text: String | Number | Boolean,
    } also {
        error,
        usage,
        stop_reason,
        finish_reason_in_camel = "finishReason",
        // Members that belong in the message or the delta.
        content,
        tool_calls,
        tool_calls_in_camel = "toolCalls",
        reasoning_content,
    }
}

/// Major slot numbers, in the order of a message's content.
pub(super) const TEXT: u64 = 1;
pub(super) const REFUSAL: u64 = 2;
pub(super) const AUDIO: u64 = 3;
pub(super) const IMAGES: u64 = 4;

/// Role of `GigaChat`'s messages about the progress of a function that the server runs.
const PROGRESS: &str = "function_in_progress";

/// Kind of the latest content. Content of another kind begins a new part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContentKind {
    Text,
    Thinking,
    Other,
}

state! { enum ContentKind { 0 Text, 1 Thinking, 2 Other } }

/// Reader of one choice.
#[expect(clippy::struct_excessive_bools, reason = "what has been received, which servers combine in any way")]
pub(super) struct ChoiceReader {
    pub(super) index: u32,
    /// Index and kind of the last part of the content.
    pub(super) content: Option<(u64, ContentKind)>,
    pub(super) images: u64,
    has_deltas: bool,
    has_message: bool,
    has_role: bool,
    /// Another index under which the choice has continued.
    other_index: Option<u32>,
    /// Whether the last message was context, such as search results in Azure's `messages`, or the result of a tool.
    pub(super) is_context: bool,
    /// Whether the content of the last delta was a thought that may end in the next delta.
    pub(super) is_thinking: bool,
    pub(super) calls: ToolCallReader,
    /// The tools that the server runs itself.
    pub(super) tools: Vec<ServerTool>,
    /// The position of each of these tools, by its type and id.
    pub(super) tool_positions: Keyed<(String, Option<String>), u64>,
    pub(super) reasoning: ReasoningReader,
    finish_reason: Option<String>,
    /// Whether content followed the finish reason.
    has_continued: bool,
    logprobs: Object,
    choice_members: Object,
    pub(super) message_members: Object,
    /// Members of the thoughts in the content, besides their text.
    pub(super) thought_members: Object,
    /// The latest draft of the text, if each delta replaces the text before it.
    pub(super) draft: Option<String>,
}

state! { struct ChoiceReader {
    index, content, images, has_deltas, has_message, has_role, other_index, is_context, is_thinking, calls, tools, tool_positions, reasoning,
    finish_reason, has_continued, logprobs, choice_members, message_members, thought_members, draft,
} }

impl ChoiceReader {
    pub(super) fn new(index: u32) -> Self {
        Self {
            index,
            content: None,
            images: 0,
            has_deltas: false,
            has_message: false,
            has_role: false,
            other_index: None,
            is_context: false,
            is_thinking: false,
            calls: ToolCallReader::new(index),
            tools: Vec::new(),
            tool_positions: Keyed::default(),
            reasoning: ReasoningReader::new(index),
            finish_reason: None,
            has_continued: false,
            logprobs: Object::default(),
            choice_members: Object::default(),
            message_members: Object::default(),
            thought_members: Object::default(),
            draft: None,
        }
    }

    /// Reads a choice of a body or of a chunk. Returns whether it has a whole message.
    pub(super) fn read(&mut self, choice: &Choice<'_>, piece: Piece, out: &mut Builder) -> bool {
        let message = choice.message().filter(|_| !repeats_delta(choice));
        let (delta, message) = match piece {
            Piece::Delta => (message, None),
            _ => (choice.delta(), message),
        };
        if let Some(delta) = delta {
            self.read_delta(&Message::of(delta), out);
        }
        let finish = choice.finish();
        choice.keep_invalid_reason(&mut self.choice_members, out);
        if let Some(message) = message {
            self.read_whole(&Message::of(message), finish.as_ref(), piece, out);
        } else if !self.has_deltas
            // Snowflake calls it `messages`.
            && let Some(text) = choice.text().or_else(|| choice.whole.get("messages")).scalar_fragment()
            // A choice without an index is from `DashScope` or Oracle, which repeat the whole text at the end, and
            // beside calls.
            && (finish.is_none() && choice.tool_calls_in_camel().is_none()
                || choice.index().is_some()
                || !self.has_text(&text.text, out))
        {
            let place = self.content_place(ContentKind::Text);
            out.push_text(place, &text);
        }
        self.read_messages(choice, finish.as_ref(), out);
        self.read_misplaced(choice, out);
        if !out.is_brief() {
            self.keep_members(choice);
        }
        let is_last = !matches!(piece, Piece::Part { is_last: false, .. });
        if let Some(finish) = finish.filter(|_| is_last) {
            self.end(choice, finish, out);
        }
        message.is_some()
    }

    fn read_delta(&mut self, delta: &Message<'_>, out: &mut Builder) {
        // An empty delta may also come between whole messages.
        self.has_deltas =
            self.has_deltas || delta.whole.others(&["role"]).any(|(_, member)| !is_blank(member));
        if let Some(role) = delta.role().non_empty() {
            self.is_context = role == "tool" && delta.calls().is_none();
            if self.is_context {
                return self.read_context(delta, out);
            }
        } else if let Some(id) = self.continued_result(delta) {
            return self.read_result(id, delta, out);
        }
        if delta.role().equals(PROGRESS) {
            return self.message_members.add(PROGRESS, delta.whole);
        }
        self.has_role |= delta.role().non_empty().is_some();
        self.reopen_for(delta, out);
        self.has_continued |= self.finish_reason.is_some() && delta.has_content();
        let error = delta.error();
        self.read_message(delta, &Selection { content: error.is_none(), ..Selection::all(Form::Delta) }, out);
        if let Some(error) = error {
            out.fail(Failure::new(FailureCode::ProviderError, error));
        }
    }

    /// Keeps the log probabilities and the unread members.
    fn keep_members(&mut self, choice: &Choice<'_>) {
        if let Some(logprobs) = choice.logprobs() {
            // In chunks, Together sends only the number of the token.
            if logprobs.is_object() {
                self.logprobs.append_others(logprobs, &[]);
            } else {
                self.logprobs.add("token_logprobs", logprobs);
            }
        }
        let members = &mut self.choice_members;
        if self.has_deltas {
            choice.each_unread(|name, value| {
                if value.is_array() {
                    members.append(name, value); // such as the ids of the chunk's tokens
                } else {
                    members.put(name, value);
                }
            });
            choice.keep_misfits(members);
        } else {
            choice.keep_unread(members);
        }
    }

    /// Reads an entry of a conversation, or a piece of one.
    pub(super) fn read_entry(&mut self, entry: Value<'_>, out: &mut Builder) {
        self.has_deltas = true;
        self.read_selected(&Message::of(entry), &Selection::all(Form::Delta), out);
        for name in ["id", "agent_id", "agentId"] {
            if let Some(value) = entry.get(name) {
                self.message_members.put(name, value);
            }
        }
    }

    /// Completes the calls and server tools, which grow by pieces: nothing more of them follows.
    pub(super) fn close(&mut self, is_cut: bool, out: &mut Builder) {
        self.calls.close(is_cut, out);
        self.set_server_tools(out);
    }

    /// Ends what grows by pieces, perhaps in the middle.
    pub(super) fn end_parts(&mut self, out: &mut Builder) {
        self.emit_draft(out);
        self.calls.close_early(out);
        self.set_server_tools(out);
    }

    fn end(&mut self, choice: &Choice<'_>, finish: Finish, out: &mut Builder) {
        self.emit_draft(out);
        self.close(finish.reason.may_truncate(), out);
        if self.replaces_finish(&finish) {
            self.finish_reason = None;
            out.reopen(self.index);
        }
        self.has_continued = false;
        if self.finish_reason.is_none() {
            let native = choice.native_error().or_else(|| choice.native_end()).map(Into::into);
            self.finish_reason = native.or_else(|| finish.raw.clone());
        }
        if self.has_deltas && self.is_open_to_more(&finish) {
            out.hold_finish(self.index, finish);
        } else {
            out.finish(self.index, finish);
        }
    }

    /// Whether the previous finish reason wasn't final: some servers send one with each chunk, and only the last
    /// counts; others let the model continue after a limit.
    fn replaces_finish(&self, finish: &Finish) -> bool {
        let Some(known) = self.finish_reason.as_deref().filter(|known| !is_error(known)) else {
            return false;
        };
        let is_cut = matches!(finish.reason, FinishReason::Length | FinishReason::ContentFilter);
        self.has_continued || is_cut && finish_of(known).reason == FinishReason::Complete
    }

    /// Reopens a choice with such a finish reason if more content follows: Jina's `DeepSearch` sends an unknown one at
    /// the end of its thinking.
    fn reopen_for(&mut self, delta: &Message<'_>, out: &mut Builder) {
        let is_open = |reason: &str| self.is_open_to_more(&finish_of(reason));
        if self.finish_reason.as_deref().is_some_and(is_open) && delta.has_content() {
            self.finish_reason = None;
            out.reopen(self.index);
        }
    }

    /// Whether the response may continue after this finish: its reason is an unknown word, or the tools that the model
    /// waits for are the server's.
    fn is_open_to_more(&self, finish: &Finish) -> bool {
        match &finish.reason {
            FinishReason::Unknown(word) => meaning_of(word).is_none(),
            FinishReason::ToolUse => self.calls.is_empty() && !self.tools.is_empty(),
            _ => false,
        }
    }

    /// Whether there is any content.
    pub(super) fn has_content(&self) -> bool {
        self.content.is_some()
    }

    /// Returns the place of the last content part, if it is text.
    pub(super) fn text_place(&self) -> Option<Place> {
        let (at, _) = self.content.filter(|(_, kind)| *kind == ContentKind::Text)?;
        Some(self.place(TEXT, at))
    }

    /// Returns the place of the first content part with thoughts.
    fn thinking_place(&self, out: &Builder) -> Option<Place> {
        let count = self.content.map_or(0, |(last, _)| last + 1);
        (0..count).map(|at| self.place(TEXT, at)).find(|place| !out.reasoning_at(*place).is_empty())
    }

    /// Returns the place of reasoning that is a plain string.
    pub(super) fn reasoning_place(&self) -> Place {
        self.reasoning.plain_place()
    }

    /// Whether no deltas have been received so far.
    pub(super) fn is_whole(&self) -> bool {
        !self.has_deltas
    }

    /// Whether the choice is complete: it has a message, or text that can't be from a chunk of the legacy interface.
    pub(super) fn is_answer(&self, may_be_chunk: bool) -> bool {
        self.is_whole() && (self.has_message || (!may_be_chunk && self.has_content()))
    }

    /// Whether the choice has a finish reason.
    pub(super) fn has_ended(&self) -> bool {
        self.finish_reason.is_some()
    }

    /// Returns the finish reason, if it is an error.
    pub(super) fn error_reason(&self) -> Option<&str> {
        self.finish_reason.as_deref().filter(|reason| is_error(reason))
    }

    /// Returns the members of the choice besides the known fields.
    pub(super) fn details(&self, out: &Builder) -> ChoiceDetails {
        let mut message = self.message_members.clone();
        if !self.thought_members.is_empty() {
            message.add_item("content", RawJson::of(&self.thought_members));
        }
        self.reasoning.write_details(&mut message, out);
        if self.has_deltas {
            join_thoughts(&mut message);
        }
        // In a stream each tool is sent again with its result.
        if self.has_deltas
            && message.get(EXECUTED_TOOLS).is_some()
            && let Some(tools) = self.executed_tools()
        {
            message.set(EXECUTED_TOOLS, tools);
        }
        if self.reasoning.is_empty() && !self.calls.is_empty() {
            message.set("reasoning_content", RawJson::valid("\"\""));
        }
        ChoiceDetails {
            index: self.index,
            logprobs: (!self.logprobs.is_empty()).then(|| RawJson::of(&self.logprobs)),
            choice: self.choice_members.clone(),
            message,
            reasoning_field: self.reasoning.other_field(),
            tool_calls: self.calls.details(out),
        }
    }

    /// Returns the place for content of this kind: the last part if it has the same kind, otherwise a new part.
    pub(super) fn content_place(&mut self, kind: ContentKind) -> Place {
        match self.content {
            Some((at, last)) if last == kind && kind != ContentKind::Other => self.place(TEXT, at),
            _ => self.next_place(kind),
        }
    }

    /// Returns the place of a new part after the existing ones.
    pub(super) fn next_place(&mut self, kind: ContentKind) -> Place {
        let at = self.content.map_or(0, |(at, _)| at + 1);
        self.content = Some((at, kind));
        self.place(TEXT, at)
    }

    pub(super) fn place(&self, major: u64, minor: u64) -> Place {
        Place { choice: self.index, slot: Slot(major, minor) }
    }
}

/// Whether a member has a value: some servers send all members, with empty values.
pub(super) fn has_value(member: Value<'_>) -> bool {
    match member.number() {
        Some(number) => number != 0.0,
        None => !member.is("") && member.kind() != Kind::Null,
    }
}
