//! Reads strings, with any quotes, and unquoted words.

use memchr::memchr;

use crate::json::progress::is_space;
use crate::json::repair::Strategy;
use crate::json::repairer::closing::{
    Nesting, Place, StringContext, WORDS, ends_string, is_mark, is_quote, is_word_byte, may_begin_name,
    space_len,
};
use crate::json::repairer::{Repairer, ValueEnd};
use crate::json::write::push_escape;
use crate::json::{Progress, ProgressState, ToJson};

/// Maximum number of bytes at the end of a truncated number that don't count unless others follow: `e+`.
const MAX_TAIL: usize = 2;

/// Length in bytes of an escape such as `\u00f8`.
const UNIT_LEN: usize = 6;

impl Repairer<'_> {
    /// Reads the string whose opening quote is here.
    pub(super) fn string(&mut self, quote: u8, is_name: bool) -> ValueEnd {
        self.push(b'"');
        if quote == b'\'' {
            self.record_strategy(Strategy::SingleQuotes);
        }
        let place = match self.open.last() {
            _ if is_name => Place::Name,
            Some(b'}') => Place::Member,
            _ => Place::Item,
        };
        let triple_end = if is_name { None } else { self.end_of_triple_quotes(quote) };
        if triple_end.is_some() {
            self.at += 2;
            self.record_strategy(Strategy::StringEscapes);
        }
        let mut plain = self.at;
        let (mut nesting, mut counted) = (Nesting::default(), self.at);
        while let Some(byte) = self.byte(self.at) {
            let is_special = match byte {
                b'\\' => match self.escape(quote) {
                    Escape::Whole(length) => {
                        self.at += length;
                        continue;
                    }
                    Escape::Unpaired => {
                        self.copy(plain);
                        self.out.push(char::REPLACEMENT_CHARACTER);
                        self.record_strategy(Strategy::StringEscapes);
                        self.at += UNIT_LEN;
                        plain = self.at;
                        continue;
                    }
                    Escape::Byte => {
                        self.copy(plain);
                        self.out.push_str("\\u00");
                        plain = self.at + 2;
                        self.at += 4;
                        continue;
                    }
                    Escape::Cut => break,
                    Escape::Wrong => true,
                },
                _ if triple_end == Some(self.at) => {
                    self.copy(plain);
                    self.push(b'"');
                    self.keep_output();
                    self.at += 2;
                    return ValueEnd::Complete;
                }
                b'"' | b'\'' if byte == quote && triple_end.is_none() => {
                    let text = self.text.get(counted..self.at).unwrap_or_default();
                    nesting.read(text, false);
                    if is_name && self.lacks_quotes && nesting.has_quotes && nesting.depth > 0 {
                        return ValueEnd::Invalid;
                    }
                    if is_name || nesting.may_end() {
                        let is_closing = self.is_closing(place, nesting.has_quotes);
                        if self.lacks_quotes
                            && self.lacks_closing_quote(counted, is_closing, nesting, is_name)
                        {
                            return ValueEnd::Invalid;
                        }
                        if is_closing || self.lacks_quotes && self.must_end(nesting) {
                            self.copy(plain);
                            self.push(b'"');
                            if !is_name {
                                self.keep_output();
                            }
                            return ValueEnd::Complete;
                        }
                    }
                    counted = self.at + 1;
                    _ = nesting.record_inner_quote(self.bytes.get(self.at + 1..).unwrap_or_default(), true);
                    byte == b'"'
                }
                byte => byte == b'"' || byte < 0x20,
            };
            if is_special {
                self.copy(plain);
                plain = self.at + 1;
                self.add_escape(byte, quote);
            }
            self.at += 1;
        }
        self.copy(plain);
        self.at = self.bytes.len();
        nesting.read(self.text.get(counted..).unwrap_or_default(), false);
        if !is_name && nesting.may_have_ended() {
            return ValueEnd::Invalid;
        }
        if !is_name {
            self.out.push('"');
            self.keep_output();
        }
        ValueEnd::Truncated
    }

    /// Returns the position of the closing quotes, if the quote before this position begins a string in three of them:
    /// Python writes text with line breaks in that way.
    fn end_of_triple_quotes(&self, quote: u8) -> Option<usize> {
        let quotes = [quote; 3];
        if !self.lacks_quotes || !self.rest().starts_with(&quotes[1..]) {
            return None;
        }
        let mut at = self.at + 2;
        loop {
            at += memchr(quote, self.bytes.get(at..)?)?;
            let is_escaped = self.byte(at - 1) == Some(b'\\');
            if !is_escaped && self.bytes.get(at..)?.starts_with(&quotes) {
                break;
            }
            at += 1;
        }
        // The text may end with a quotation.
        let behind = self.bytes.get(at + quotes.len()..).unwrap_or_default();
        at += behind.iter().take(2).take_while(|byte| **byte == quote).count();
        let end = at + quotes.len();
        #[cfg(test)]
        self.work.set(self.work.get() + end - self.at);
        let next = self.skip_space(end);
        let ends = match self.byte(next) {
            Some(b',' | b'}' | b']' | b'/' | b'#') | None => true,
            byte => byte.is_some_and(is_quote) && next > end || self.is_before_end_of_fence(end),
        };
        ends.then_some(at)
    }

    /// Escapes the byte here, in a string with this quote.
    fn add_escape(&mut self, byte: u8, quote: u8) {
        // Python writes a backslash before an apostrophe.
        let is_needless = byte == b'\\' && self.byte(self.at + 1) == Some(b'\'');
        if !is_needless {
            push_escape(byte, &mut self.out);
        }
        if quote == b'"' || !(is_needless || byte == b'"') {
            self.record_strategy(Strategy::StringEscapes);
        }
        self.at += usize::from(is_needless);
    }

    /// Classifies the escape that the backslash here begins.
    fn escape(&self, quote: u8) -> Escape {
        match self.byte(self.at + 1) {
            None => Escape::Cut,
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Escape::Whole(2),
            Some(b'u') => match self.unit(self.at) {
                Ok(0xd800..=0xdbff) => match self.unit(self.at + UNIT_LEN) {
                    Ok(0xdc00..=0xdfff) => Escape::Whole(2 * UNIT_LEN),
                    Err(Escape::Cut) => Escape::Cut,
                    _ => Escape::Unpaired,
                },
                Ok(0xdc00..=0xdfff) => Escape::Unpaired,
                Ok(_) => Escape::Whole(UNIT_LEN),
                Err(wrong) => wrong,
            },
            // Python writes control characters like this. In a JSON string, it may be part of a regular expression.
            Some(b'x') if quote == b'\'' => match self.bytes.get(self.at + 2..self.at + 4) {
                Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => Escape::Byte,
                _ => Escape::Wrong,
            },
            Some(_) => Escape::Wrong,
        }
    }

    /// Returns the UTF-16 unit of the escape at `at`, such as `\u00f8`.
    fn unit(&self, at: usize) -> Result<u32, Escape> {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let digits = rest.iter().skip(2).take(4).take_while(|digit| digit.is_ascii_hexdigit());
        let (count, unit) = digits.fold((0, 0), |(count, unit), digit| {
            (count + 1, unit << 4 | char::from(*digit).to_digit(16).unwrap_or_default())
        });
        match rest {
            [] | [b'\\'] => Err(Escape::Cut),
            [b'\\', b'u', ..] if count == 4 => Ok(unit),
            [b'\\', b'u', ..] if count + 2 == rest.len() => Err(Escape::Cut),
            _ => Err(Escape::Wrong),
        }
    }

    /// Returns the text up to the next white space or JSON punctuation.
    fn word_at(&self, start: usize) -> &str {
        let mut end = start;
        while self.byte(end).is_some_and(is_word_byte)
            && space_len(self.bytes.get(end..).unwrap_or_default()) == 0
        {
            end += 1;
        }
        self.text.get(start..end).unwrap_or_default()
    }

    /// Reads an unquoted word. Text that begins with a mark, such as a curly quote, isn't a word.
    pub(super) fn word(&mut self, is_name: bool) -> ValueEnd {
        let start = self.at;
        self.at += self.word_at(start).len();
        let word = self.text.get(start..self.at).unwrap_or_default();
        let is_cut = self.at == self.bytes.len();
        let known = WORDS.iter().find(|(written, _)| *written == word && !is_name);
        match word.as_bytes().first() {
            _ if let Some((written, meant)) = known => {
                self.out.push_str(meant);
                if written != meant {
                    self.record_strategy(Strategy::PythonLiterals);
                }
                self.keep_output();
            }
            Some(b'-' | b'0'..=b'9') if !is_name => {
                let length = number_len(word, is_cut);
                if length == 0 && !is_cut {
                    return ValueEnd::Invalid;
                }
                if length > 0 {
                    self.out.push_str(word.get(..length).unwrap_or_default());
                    self.keep_output();
                }
            }
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | 0xc3..=0xe1 | 0xe3..)
                if self.is_in_object() && is_word(word) && !self.byte(self.at).is_some_and(is_quote) =>
            {
                word.write_json(&mut self.out);
                self.record_strategy(Strategy::UnquotedText);
                if !is_name && !is_cut {
                    self.keep_output();
                }
            }
            _ if is_cut && !is_name && WORDS.iter().any(|(written, _)| written.starts_with(word)) => {}
            _ => return ValueEnd::Invalid,
        }
        if is_cut { ValueEnd::Truncated } else { ValueEnd::Complete }
    }

    /// Whether the string lacks its closing quote before the last quote in it, at `start`, so that another string would
    /// be part of it.
    fn lacks_closing_quote(&self, start: usize, is_closing: bool, nesting: Nesting, is_name: bool) -> bool {
        if !is_closing {
            return !is_name && self.ends_member_name(start);
        }
        let before = self.text.get(..start - 1).unwrap_or_default().trim_ascii_end();
        let name = before.strip_suffix(':').map(str::trim_ascii_end);
        nesting.has_quotes && (before.ends_with(',') || name.is_some_and(|name| name.ends_with(['"', '\''])))
    }

    /// Whether the quote here ends its string although no JSON follows: the quote can't open a quotation inside the
    /// string, and no word follows with which the string may go on.
    fn must_end(&self, nesting: Nesting) -> bool {
        let is_opening = match self.at.checked_sub(1).and_then(|last| self.byte(last)) {
            // The quote may close a quotation around an object.
            Some(b'}') => nesting.has_quotes,
            last => last.is_some_and(|last| is_space(last) || b"([{=:,".contains(&last)),
        };
        let next = self.skip_space(self.at + 1);
        let space = self.text.get(self.at + 1..next).unwrap_or_default();
        let follows = match self.text.get(next..).and_then(|rest| rest.chars().next()) {
            Some('"' | '\'') => !space.is_empty(),
            // Read as a comment, it would remove the rest of a line.
            Some('#') | None => false,
            Some(first)
                if first.is_ascii_alphabetic() || first == '_' || !first.is_ascii() && !is_mark(first) =>
            {
                let word = self.word_at(next);
                space.contains('\n') || WORDS.iter().any(|(written, _)| *written == word)
            }
            Some(_) => true,
        };
        nesting.is_balanced() && !is_opening && follows
    }

    /// Whether the quote here ends a member name that began at the quote before `start`; the string before the name
    /// then lacks its closing quote.
    fn ends_member_name(&self, start: usize) -> bool {
        let before = self.text.get(..start - 1).unwrap_or_default();
        may_begin_name(before, self.text.get(start..self.at).unwrap_or_default())
            && self.is_closing(Place::Lost, false)
    }

    /// Whether the quote here ends its string.
    fn is_closing(&self, place: Place, has_quotes: bool) -> bool {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        #[cfg(test)]
        self.work.set(self.work.get() + rest.len().min(crate::json::repairer::closing::WINDOW));
        let around = StringContext { place, depth: self.open.len(), has_round: false, has_quotes };
        let is_value = matches!(place, Place::Member | Place::Item);
        ends_string(rest, true, around) != Some(false) || is_value && self.is_before_end_of_fence(self.at + 1)
    }
}

/// The kinds of escapes in a string.
enum Escape {
    /// A complete escape of this many bytes.
    Whole(usize),
    /// An unpaired surrogate.
    Unpaired,
    /// Python's escape of a character up to U+00FF, such as `\x1b`.
    Byte,
    /// An escape that the end of the text cuts off.
    Cut,
    Wrong,
}

/// Whether unquoted text is plausible as a word: it has no marks of other scripts, and isn't a JSON value followed by
/// punctuation.
fn is_word(text: &str) -> bool {
    let start = text.trim_end_matches(|last: char| last.is_ascii_punctuation());
    let is_value = start.len() < text.len() && WORDS.iter().any(|(written, _)| *written == start);
    !is_value && !text.chars().any(|character| character == ';' || is_mark(character))
}

/// Returns the length of the number in a word: 0 or all of it; if the text ends with the word, that of the longest
/// valid prefix.
fn number_len(word: &str, is_cut: bool) -> usize {
    for tail in 0..=if is_cut { MAX_TAIL } else { 0 } {
        let number = word.get(..word.len().saturating_sub(tail)).unwrap_or_default();
        let mut progress = Progress::default();
        progress.push(number);
        if progress.state() == ProgressState::Complete {
            return number.len();
        }
    }
    0
}
