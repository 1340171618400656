//! Finds the ends of strings that contain unescaped quotes.

use std::cell::Cell;

use crate::json::progress::is_space;
use crate::save::state;

/// Unquoted words for values, and those values in JSON.
pub(super) const WORDS: [(&str, &str); 14] = [
    ("true", "true"),
    ("false", "false"),
    ("null", "null"),
    ("True", "true"),
    ("False", "false"),
    ("None", "null"),
    ("TRUE", "true"),
    ("FALSE", "false"),
    ("NULL", "null"),
    ("Null", "null"),
    ("NaN", "null"),
    ("Infinity", "null"),
    ("-Infinity", "null"),
    ("undefined", "null"),
];

/// Number of bytes that are examined after a quote. If they don't decide, the quote ends its string, as all correct
/// ones do.
pub(super) const WINDOW: usize = 256;

/// The role of a string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Name,
    /// A name inside a string that may lack its closing quote before the name.
    Lost,
    /// The value of a member.
    Member,
    Item,
}

/// The context of a string.
#[derive(Clone, Copy)]
pub(crate) struct StringContext {
    pub(crate) place: Place,
    /// Number of open arrays and objects.
    pub(crate) depth: usize,
    /// Whether parentheses are among them.
    pub(crate) has_round: bool,
    /// Whether the string contains unescaped quotes: a name and a colon may then be part of it, too.
    pub(crate) has_quotes: bool,
}

/// Whether a quote ends its string, because what follows continues the JSON. `None` if that depends on text that hasn't
/// arrived yet; never once the text is over.
pub(crate) fn ends_string(rest: &[u8], is_over: bool, around: StringContext) -> Option<bool> {
    let ahead = Lookahead {
        bytes: rest.get(..WINDOW).unwrap_or(rest),
        is_cut: rest.len() > WINDOW,
        ran_out: Cell::new(false),
    };
    let ends = ahead.ends_string(around);
    (is_over || ahead.is_cut || !ahead.ran_out.get()).then_some(ends)
}

/// Whether a string probably lacks its closing quote before a quote in it: after a comma, that quote may begin a name;
/// before a comma, it may be the closing quote.
pub(crate) fn may_begin_name(before: &str, behind: &str) -> bool {
    before.trim_ascii_end().ends_with(',') || behind.starts_with(',')
}

/// Tracks the brackets and quotes in a string. A string with `{"x": "1"}` contains quotes that look like its end, but
/// close an earlier quote or are inside brackets.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Nesting {
    pub(crate) depth: usize,
    pub(crate) has_quotes: bool,
    is_in_quotes: bool,
    /// Whether a bracket after a quote closes one that the string didn't open.
    closes_more: bool,
}

state! { struct Nesting { depth, has_quotes, is_in_quotes, closes_more } }

impl Nesting {
    /// Reads the text of the string up to a quote.
    pub(crate) fn read(&mut self, text: &str, has_round: bool) {
        for byte in text.bytes() {
            match byte {
                b'(' | b')' if !has_round => {}
                b'{' | b'[' | b'(' => self.depth += 1,
                b'}' | b']' | b')' => {
                    self.closes_more |= self.depth == 0 && self.has_quotes;
                    self.depth = self.depth.saturating_sub(1);
                }
                _ => {}
            }
        }
    }

    /// Whether a string that reaches the end of the text may have ended at a quote in it: brackets around the string
    /// are closed.
    pub(super) fn may_have_ended(self) -> bool {
        self.closes_more
    }

    /// Whether no quotation inside the string is open.
    pub(super) fn is_balanced(self) -> bool {
        !self.is_in_quotes
    }

    /// Notes that the quote before `rest` is part of the string. `None` if that depends on text that hasn't arrived
    /// yet.
    pub(crate) fn record_inner_quote(&mut self, rest: &[u8], is_over: bool) -> Option<()> {
        // A quoted object contains other quotes.
        let is_before_object = match rest {
            [] | [b'{'] | [b'{', b'"'] if !is_over => return None,
            [b'{', b'"', name, ..] => name.is_ascii_alphanumeric(),
            _ => false,
        };
        self.has_quotes = true;
        self.is_in_quotes ^= !is_before_object;
        Some(())
    }

    /// Whether the string may end at the quote.
    pub(crate) fn may_end(self) -> bool {
        self.depth == 0 || !self.is_in_quotes
    }
}

pub(super) fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'')
}

/// Whether a byte can be part of unquoted text.
pub(super) fn is_word_byte(byte: u8) -> bool {
    !is_space(byte) && !b",:{}[]\"'".contains(&byte)
}

/// Whether a value other than a string can begin with this byte.
fn is_value(byte: u8) -> bool {
    b"{[-0123456789".contains(&byte) || WORDS.iter().any(|(word, _)| word.as_bytes().first() == Some(&byte))
}

/// Returns the length in bytes of the white space character at the start of the text. Models also write white space
/// that JSON doesn't allow.
pub(super) fn space_len(text: &[u8]) -> usize {
    match text {
        [byte, ..] if is_space(*byte) => 1,
        [0xc2, 0x85 | 0xa0, ..] => 2,
        [0xe1, 0x9a, 0x80, ..]
        | [0xe2, 0x80, 0x80..=0x8b | 0xa8 | 0xa9 | 0xaf, ..]
        | [0xe2, 0x81, 0x9f | 0xa0, ..]
        | [0xe3, 0x80, 0x80, ..]
        | [0xef, 0xbb, 0xbf, ..] => 3,
        _ => 0,
    }
}

/// Returns the position of the next byte that isn't white space.
pub(super) fn skip_white_space(text: &[u8], mut at: usize) -> usize {
    loop {
        match space_len(text.get(at..).unwrap_or_default()) {
            0 => return at,
            length => at += length,
        }
    }
}

/// Whether a character is a comma, quote or bracket of another script, or a similar mark, which isn't part of a word.
pub(super) fn is_mark(character: char) -> bool {
    matches!(
        character,
        '\u{80}'..='\u{a1}' | '«' | '»' | '¿' | '،' | '؛' | '\u{2000}'..='\u{200b}' | '‘' | '\u{201a}'..='\u{201f}'
            | '\u{2026}'..='\u{202f}' | '‹' | '›' | '\u{3000}'..='\u{3003}' | '\u{3008}'..='\u{301f}'
            | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}'
            | '\u{feff}'
    )
}

/// The text after a quote.
struct Lookahead<'a> {
    bytes: &'a [u8],
    /// Whether the text goes on after `bytes`.
    is_cut: bool,
    /// Whether a byte past the end was requested.
    ran_out: Cell<bool>,
}

impl Lookahead<'_> {
    fn ends_string(&self, StringContext { place, depth, has_round, has_quotes }: StringContext) -> bool {
        let is_closer = |byte: u8| matches!(byte, b'}' | b']') || has_round && byte == b')';
        // In Python, any expression may follow a comma.
        let is_python = has_round && !has_quotes;
        let mut at = self.skip_space(0);
        let Some(byte) = self.byte(at) else { return true };
        match byte {
            b':' if place == Place::Lost => {
                let value = self.byte(self.skip_space(at + 1));
                value.is_some_and(|byte| is_quote(byte) || is_value(byte))
            }
            b':' => place == Place::Name,
            _ if matches!(place, Place::Name | Place::Lost) => false,
            b',' => {
                while self.byte(at) == Some(b',') {
                    at = self.skip_space(at + 1);
                }
                match self.byte(at) {
                    None | Some(b'/' | b'#') => true,
                    Some(byte) if is_closer(byte) => true,
                    // Python's `**options`.
                    Some(b'*') if is_python => true,
                    _ if place == Place::Member => self.is_name(at, true, has_quotes),
                    Some(byte) => is_python || is_quote(byte) || is_value(byte),
                }
            }
            b'/' => matches!(self.byte(at + 1), Some(b'/' | b'*')),
            b'#' => self.byte(at + 1) == Some(b' '),
            _ if is_closer(byte) => {
                let mut closers = 0;
                while self.byte(at).is_some_and(is_closer) {
                    closers += 1;
                    at = self.skip_space(at + 1);
                }
                match self.byte(at) {
                    Some(quote) if is_quote(quote) => match byte {
                        b']' if place == Place::Member => false,
                        b'}' if place == Place::Item => false,
                        // After the value, or before a member whose comma is missing.
                        _ if closers >= depth => !self.closes_more(at, has_round),
                        _ => self.is_name(at, false, true),
                    },
                    Some(byte) => closers >= depth || b",{[</#`".contains(&byte),
                    None => true,
                }
            }
            _ => is_quote(byte) && (place == Place::Item || self.is_name(at, false, has_quotes)),
        }
    }

    /// Whether brackets after a quote close one that was opened before it, so that the string goes on.
    fn closes_more(&self, mut at: usize, has_round: bool) -> bool {
        let mut depth = 0_usize;
        while let Some(byte) = self.byte(at) {
            match byte {
                b'(' | b')' if !has_round => {}
                b'{' | b'(' => depth += 1,
                b'}' | b')' if depth == 0 => return true,
                b'}' | b')' => depth -= 1,
                _ => {}
            }
            at += 1;
        }
        false
    }

    fn byte(&self, at: usize) -> Option<u8> {
        let byte = self.bytes.get(at).copied();
        if byte.is_none() {
            self.ran_out.set(true);
        }
        byte
    }

    fn skip(&self, mut at: usize, is_skipped: fn(u8) -> bool) -> usize {
        while self.byte(at).is_some_and(is_skipped) {
            at += 1;
        }
        at
    }

    fn skip_space(&self, at: usize) -> usize {
        skip_white_space(self.bytes, at)
    }

    /// Whether a member name begins here, followed by a value if `with_value`. `or_open`: the result if the name begins
    /// but doesn't end.
    fn is_name(&self, mut at: usize, or_open: bool, with_value: bool) -> bool {
        let quote = self.byte(at).unwrap_or_default();
        if is_quote(quote) {
            at += 1;
            while self.byte(at).is_some_and(|byte| byte != quote) {
                at += if self.byte(at) == Some(b'\\') { 2 } else { 1 };
            }
            if at >= self.bytes.len() {
                return or_open || self.is_cut;
            }
            at += 1;
        } else {
            at = self.skip(at, |byte| is_word_byte(byte) && byte != b'=');
        }
        at = self.skip_space(at);
        match self.byte(at) {
            None => true,
            Some(b':' | b'=') if with_value => {
                let value = self.byte(self.skip_space(at + 1));
                value.is_none_or(|byte| is_quote(byte) || is_value(byte))
            }
            byte => matches!(byte, Some(b':' | b'=')),
        }
    }
}
