//! The state inside reasoning.

use super::header;
use super::pass::Pass;
use super::prose::Token;
use super::{Extractor, Header, MAX_HELD, State};
use crate::save::state;
use crate::text::formats::{Body, CALL_ENDS, MESSAGE_ENDS, Quirk};
use crate::text::grammar::{MAX_LEVELS, reads_as_call};
use crate::text::need_more::{Decided, NeedMore};
use crate::text::reader::{Reader, longest_match};
use crate::text::tools::Tools;

/// Reasoning before its closing tag.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Thinking {
    /// Index of the tag; `None` if any closing tag ends the reasoning.
    pub(crate) tag: Option<usize>,
    /// Whether it is a message with a header.
    pub(crate) is_message: bool,
    /// Position of a possible call inside. If nothing closes the reasoning, it ends there.
    pub(crate) call_at: Option<usize>,
    /// Whether an opener may follow, although the reasoning is already open.
    pub(crate) may_open: bool,
}

state! { struct Thinking { tag, is_message, call_at, may_open } }

impl Thinking {
    /// Creates the state after an opener, which some models repeat, or which was in the prompt.
    pub(crate) fn new(tag: Option<usize>) -> Self {
        Self { tag, is_message: false, call_at: None, may_open: true }
    }

    /// Returns the tag's bit in a set of tags.
    fn bit(&self) -> u32 {
        1 << self.tag.map_or(31, |tag| tag.min(30))
    }
}

impl Extractor {
    pub(crate) fn read_thinking(&mut self, mut thinking: Thinking, pass: &mut Pass<'_>) -> Decided<()> {
        if thinking.may_open {
            // The state if more text is needed.
            self.state = State::Thinking(thinking);
            if let Some((nth, length)) = self.repeated_opener(&thinking, pass)? {
                self.emit_markup(pass.from + length, pass);
                (self.at, self.skips_space) = (pass.from, !self.has_reasoning);
                self.state = State::Thinking(Thinking::new(Some(nth)));
                return Ok(());
            }
            (self.state, thinking.may_open) = (State::Prose, false);
        }
        let bytes = pass.text.as_bytes();
        let mut at = self.at.max(pass.from);
        while let Some(place) = pass.leads.next(&self.options.leads, &self.options.seconds, bytes, at) {
            at = place;
            let Ok(end) = self.closer_len(&thinking, place, pass) else { break };
            if let Some(length) = end {
                self.end_thinking(&thinking, place, length, pass);
                return Ok(());
            }
            if thinking.call_at.is_none() {
                let Ok(is_call) = self.may_be_call(&thinking, place, pass) else { break };
                thinking.call_at = is_call.then_some(place);
            }
            if thinking.call_at.is_some() && self.unclosed & thinking.bit() != 0 {
                break;
            }
            at = place + 1;
        }
        if pass.leads.is_at_end() {
            at = bytes.len();
        }
        self.at = at;
        match thinking.call_at {
            Some(call) if pass.is_over => {
                self.unclosed |= thinking.bit();
                self.emit_reasoning(call, pass);
                self.at = pass.from;
                return Ok(());
            }
            Some(call) if bytes.len() - call > MAX_HELD => thinking.call_at = None,
            _ => {}
        }
        let end = if pass.is_over { bytes.len() } else { thinking.call_at.unwrap_or(at) };
        self.emit_reasoning(end, pass);
        self.state = State::Thinking(thinking);
        Err(NeedMore)
    }

    /// Returns the index and length of the longest opener here whose tag has the same closer as the open one.
    fn repeated_opener(&self, thinking: &Thinking, pass: &Pass<'_>) -> Decided<Option<(usize, usize)>> {
        let rest = pass.text.as_bytes().get(pass.from..).unwrap_or_default();
        let tags = &self.options.tags;
        let closer = thinking.tag.and_then(|tag| tags.get(tag)).map(|tag| &tag.1);
        let mut opened: Option<(usize, usize)> = None;
        for (nth, (opener, end)) in tags.iter().enumerate() {
            let is_like = !opener.is_empty() && closer.is_none_or(|closer| end == closer);
            if is_like
                && longest_match(rest, &[opener], pass.is_over)?.is_some()
                && opened.is_none_or(|(_, length)| length <= opener.len())
            {
                opened = Some((nth, opener.len()));
            }
        }
        Ok(opened)
    }

    /// Ends the reasoning at a closer of this length.
    fn end_thinking(&mut self, thinking: &Thinking, place: usize, length: usize, pass: &mut Pass<'_>) {
        if let Some(call) = thinking.call_at.filter(|_| thinking.is_message)
            && is_end_of_calls(pass.text.get(call..place).unwrap_or_default())
        {
            // The closer ends the calls; that of the reasoning is missing.
            self.emit_reasoning(call, pass);
            self.at = pass.from;
            return;
        }
        if thinking.tag.is_none() && self.message == Header::None {
            self.message = Header::Other;
        }
        self.emit_reasoning(place, pass);
        self.emit_markup(place + length, pass);
        pass.begin_line();
        self.at = pass.from;
        self.skips_space = true;
    }

    /// Whether unclosed reasoning may end at a position, because a call may begin or the response end there.
    fn may_be_call(&self, thinking: &Thinking, place: usize, pass: &Pass<'_>) -> Decided<bool> {
        let Token::Row(row) = self.token_at(place, pass, false)? else { return Ok(false) };
        // In a code span the opener is only mentioned.
        if thinking.is_message && row.quirk != Quirk::InReasoning || pass.byte_before(place) == b'`' {
            return Ok(false);
        }
        let reader = Reader::new(pass.text, place + row.opener.len(), 0, pass.is_over);
        if !row.body.is_call() || reader.is_before_endless_space() {
            return Ok(matches!(row.body, Body::Stop));
        }
        let mut found = Ok(false);
        for row in self.options.rows.iter().filter(|other| other.opener == row.opener) {
            match reads_as_call(row, &self.options, &reader, MAX_LEVELS) {
                Ok(false) => {}
                Err(NeedMore) => found = Err(NeedMore),
                Ok(true) => return Ok(true),
            }
        }
        found
    }

    /// Returns the length of the closer at a position, if it ends the reasoning.
    fn closer_len(&self, thinking: &Thinking, place: usize, pass: &Pass<'_>) -> Decided<Option<usize>> {
        let rest = pass.text.as_bytes().get(place..).unwrap_or_default();
        if !thinking.is_message {
            for (nth, (_, closer)) in self.options.tags.iter().enumerate() {
                let may_close = thinking.tag.is_none_or(|tag| tag == nth);
                if may_close && longest_match(rest, &[closer], pass.is_over)?.is_some() {
                    return Ok(Some(closer.len()));
                }
            }
        }
        // The prompt may also have begun a message.
        let is_message = thinking.is_message || thinking.tag.is_none() && self.options.has_headers();
        if is_message { message_end_len(place, pass, &self.options.tools) } else { Ok(None) }
    }
}

/// Whether a text ends with the closing tag of calls in a reasoning message.
fn is_end_of_calls(text: &str) -> bool {
    CALL_ENDS.iter().any(|end| text.trim_ascii_end().ends_with(end))
}

/// Returns the length of the marker that ends a message at a position; 0 if the marker begins the next message's
/// header.
fn message_end_len(place: usize, pass: &Pass<'_>, tools: &Tools) -> Decided<Option<usize>> {
    let mut reader = Reader::new(pass.text, place, 0, pass.is_over);
    let end = reader.next_token(MESSAGE_ENDS)?.and_then(|nth| MESSAGE_ENDS.get(nth));
    Ok(match end {
        Some(&("<|start|>" | "<|channel|>")) => header::read(&mut reader, tools)?.map(|_| 0),
        end => end.map(|end| end.len()),
    })
}
