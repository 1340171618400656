//! The state after an opener: calls, another opener, or the header of a message follow.

use super::header::{self, Message};
use super::pass::Pass;
use super::thinking::Thinking;
use super::{Extractor, Header, State};
use crate::collect::Collect;
use crate::text::formats::dialect::RFL;
use crate::text::formats::{Body, CLOSERS, MESSAGE, Place, Quirk, Row};
use crate::text::grammar::named::NamedCall;
use crate::text::grammar::tags::TaggedCall;
use crate::text::grammar::{Grammar, may_begin_body};
use crate::text::need_more::{Decided, NeedMore, more_unless};
use crate::text::options::Shared;
use crate::text::reader::{Reader, skip};

/// Maximum length of the [words](Quirk::BeforeWords) before the first call, in bytes.
const MAX_WORDS: usize = 64;

impl Extractor {
    /// Chooses the next state by the text after an opener.
    pub(crate) fn read_after_opener(
        &mut self,
        opener: &'static str,
        at: usize,
        pass: &mut Pass<'_>,
    ) -> Decided<()> {
        let mut reader = Reader::new(pass.text, self.at, self.seen, pass.is_over);
        let options = Shared::clone(&self.options);
        if reader.is_before_endless_space() {
            self.continue_as_prose(pass);
            return Ok(());
        }
        let is_header = |row: &Row| row.opener == opener && matches!(row.body, Body::Header);
        // Each header begins a message of its own.
        let is_repeatable = !options.rows.iter().any(|row| is_header(row));
        if is_repeatable && skip_repeated(opener, &mut reader).is_err() {
            return self.wait_after_opener(opener, at, &reader);
        }
        self.at = reader.at;
        if self.last_marker.is_some() {
            // An empty list of Python may be an answer.
            let is_python =
                options.rows.iter().any(|row| row.opener == opener && matches!(row.body, Body::Python));
            match end_of_empty_block(opener, !is_python, &reader) {
                Ok(None) => {}
                Err(NeedMore) => return self.wait_after_opener(opener, at, &reader),
                Ok(Some(end)) => {
                    self.emit_markup(end, pass);
                    (self.at, self.seen) = (end, 0);
                    self.state = State::After { has_fence: false };
                    return Ok(());
                }
            }
        }
        let is_here = |row: &&&Row| {
            row.opener == opener && (row.place == Place::Inside) == (self.place == Place::Inside)
        };
        for row in options.rows.iter().filter(is_here) {
            match row.body {
                Body::Header => return self.enter_header(opener, at, pass),
                Body::Opener => {
                    reader.skip_space();
                    if row.quirk == Quirk::BeforeWords && skip_words(&mut reader).is_err() {
                        return self.wait_after_opener(opener, at, &reader);
                    }
                    let is_inner = |other: &&&Row| other.format == row.format && other.body.is_call();
                    for inner in options.rows.iter().filter(is_inner) {
                        match reader.is_before(inner.opener) {
                            Ok(false) => {}
                            Err(NeedMore) => return self.wait_after_opener(opener, at, &reader),
                            Ok(true) => {
                                self.open(inner, reader.at, pass);
                                return Ok(());
                            }
                        }
                    }
                }
                _ => match may_begin_body(row, &reader) {
                    Ok(false) => {}
                    Err(NeedMore) => return self.wait_after_opener(opener, at, &reader),
                    Ok(true) => {
                        if let Some(grammar) = Grammar::of(row, at, &mut reader) {
                            (self.at, self.seen) = (reader.at, 0);
                            self.begin_calls(grammar, row.format, opener.starts_with('`'));
                            return Ok(());
                        }
                    }
                },
            }
        }
        self.continue_as_prose(pass);
        Ok(())
    }

    fn wait_after_opener(&mut self, opener: &'static str, at: usize, reader: &Reader<'_>) -> Decided<()> {
        self.at = reader.at;
        self.state = State::Opened { opener, at };
        Err(NeedMore)
    }

    /// Reads the header of a message, and enters its state.
    fn enter_header(&mut self, opener: &'static str, at: usize, pass: &mut Pass<'_>) -> Decided<()> {
        // The opener is part of the header.
        let mut reader = Reader::new(pass.text, at, self.seen, pass.is_over);
        let message = self.read_header(&mut reader).inspect_err(|_| {
            self.seen = reader.seen;
            self.state = State::Opened { opener, at };
        })?;
        let Some(message) = message else {
            self.continue_as_prose(pass);
            return Ok(());
        };
        self.message = match message {
            Message::Answer => Header::Answer,
            Message::Text => Header::Text,
            _ => Header::Other,
        };
        (self.at, self.seen) = (reader.at, 0);
        match message {
            Message::Call(name) => {
                self.last_marker = Some(MESSAGE);
                self.begin_calls(Grammar::Named(NamedCall::unnamed()), MESSAGE.0, false);
                self.call.name = name;
            }
            Message::TaggedCall(name) => {
                self.last_marker = Some(MESSAGE);
                self.begin_calls(Grammar::Tagged(TaggedCall::unnamed(&RFL)), MESSAGE.0, false);
                self.call.name = name;
            }
            Message::Reasoning => {
                self.emit_markup(reader.at, pass);
                self.state =
                    State::Thinking(Thinking { is_message: true, may_open: false, ..Thinking::new(None) });
            }
            Message::Text | Message::Answer => self.emit_markup(reader.at, pass),
        }
        Ok(())
    }

    /// Returns the message that the header here declares, if the options include its kind.
    fn read_header(&self, reader: &mut Reader<'_>) -> Decided<Option<Message>> {
        Ok(match header::read(reader, &self.options.tools)? {
            Some(Message::Reasoning) if self.options.tags.is_empty() => None,
            // The header may precede a call that has its own opener and name.
            Some(Message::Call(_)) if self.begins_call(reader)? => Some(Message::Text),
            message => message,
        })
    }

    /// Whether a call's opener follows the header.
    fn begins_call(&self, reader: &Reader<'_>) -> Decided<bool> {
        let mut reader = Reader::new(reader.rest(), 0, 0, reader.is_over);
        reader.skip_space();
        let is_mark = |row: &&&Row| row.body.is_call() && row.place == Place::Anywhere && !row.is_named;
        let openers = self.options.rows.iter().filter(is_mark).map(|row| row.opener).collect_vec();
        Ok(reader.next_token(&openers)?.is_some())
    }
}

/// Skips the words before the first call, if one follows.
fn skip_words(reader: &mut Reader<'_>) -> Decided<()> {
    if reader.is_before("functions.")? {
        return Ok(());
    }
    let near = reader.near(MAX_WORDS);
    match memchr::memchr(b'<', near.as_bytes()) {
        Some(words) => reader.at += words,
        None => more_unless(reader.is_over || near.len() < reader.rest().len())?,
    }
    Ok(())
}

/// Returns the end of a block without calls, which isn't text: `<tool_call></tool_call>`, `[TOOL_CALLS][]`. Prose may
/// continue behind a mention of both tags.
fn end_of_empty_block(opener: &str, may_be_list: bool, reader: &Reader<'_>) -> Decided<Option<usize>> {
    let mut ahead = Reader::new(reader.text(), reader.at, 0, reader.is_over);
    ahead.skip_space();
    let is_list = may_be_list && (opener.ends_with('[') || ahead.accept(&["["])?.is_some());
    if is_list {
        ahead.skip_space();
        if ahead.accept(&["]"])?.is_none() {
            return Ok(None);
        }
        ahead.skip_space();
    }
    if ahead.accept(CLOSERS)?.is_none() && !(is_list && ahead.peek().is_none()) {
        return Ok(None);
    }
    let end = ahead.at;
    let behind = skip(ahead.rest(), b" \t\r").bytes().next();
    more_unless(ahead.is_over || behind.is_some())?;
    Ok(matches!(behind, None | Some(b'\n' | b'<')).then_some(end))
}

/// Skips repetitions of the opener, as some models write them.
fn skip_repeated(opener: &str, reader: &mut Reader<'_>) -> Decided<()> {
    // An opener that ends inside a tag begins another call each time.
    while matches!(opener.as_bytes(), [.., b'>' | b']']) {
        let from = reader.at;
        reader.skip_space();
        let found = reader.accept(&[opener]);
        if !matches!(found, Ok(Some(_))) {
            reader.at = from;
            return found.map(|_| ());
        }
    }
    Ok(())
}
