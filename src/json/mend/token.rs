//! Strings, with whatever quotes, and what has none.

use crate::json::mend::closing::{
    Around, Nesting, Place, ends_string, is_quote, is_word_byte, may_begin_name,
};
use crate::json::mend::{End, Mender};
use crate::json::repair::Strategy;
use crate::json::write::push_escape;
use crate::json::{Progress, ProgressState, ToJson};

/// The most bytes at the end of the beginning of a number that do not count before others follow: `e+`.
const MAX_TAIL: usize = 2;

/// What stands for a value, and what that is in JSON.
const WORDS: [(&str, &str); 14] = [
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

impl Mender<'_> {
    /// Reads a string, whose quote is here.
    pub(super) fn string(&mut self, quote: u8, is_name: bool) -> End {
        self.push(b'"');
        if quote == b'\'' {
            self.note(Strategy::SingleQuotes);
        }
        let place = match self.open.last() {
            _ if is_name => Place::Name,
            Some(b'}') => Place::Member,
            _ => Place::Item,
        };
        let mut plain = self.at;
        let (mut nesting, mut counted) = (Nesting::default(), self.at);
        while let Some(byte) = self.byte(self.at) {
            let is_special = match byte {
                b'\\' => match self.escape() {
                    Escape::Whole(length) => {
                        self.at += length;
                        continue;
                    }
                    Escape::Cut => break,
                    Escape::Wrong => true,
                },
                b'"' | b'\'' if byte == quote => {
                    let text = self.text.get(counted..self.at).unwrap_or_default();
                    nesting.read(text, false);
                    if is_name || nesting.may_end() {
                        if self.is_closing(place, nesting.has_quotes) {
                            self.copy(plain);
                            self.push(b'"');
                            if !is_name {
                                self.settle();
                            }
                            return End::Whole;
                        }
                        if !is_name && self.lacks_quotes && self.is_behind_name(counted) {
                            return End::Wrong;
                        }
                    }
                    counted = self.at + 1;
                    _ = nesting.pass_quote(self.bytes.get(self.at + 1..).unwrap_or_default(), true);
                    byte == b'"'
                }
                byte => byte == b'"' || byte < 0x20,
            };
            if is_special {
                self.copy(plain);
                plain = self.at + 1;
                // Python writes a backslash before an apostrophe.
                let is_needless = byte == b'\\' && self.byte(plain) == Some(b'\'');
                if !is_needless {
                    push_escape(byte, &mut self.out);
                }
                if quote == b'"' || !(is_needless || byte == b'"') {
                    self.note(Strategy::StringEscapes);
                }
                self.at += usize::from(is_needless);
            }
            self.at += 1;
        }
        self.copy(plain);
        self.at = self.bytes.len();
        if !is_name {
            self.out.push('"');
            self.settle();
        }
        End::Cut
    }

    /// What the backslash here begins.
    fn escape(&self) -> Escape {
        match self.byte(self.at + 1) {
            None => Escape::Cut,
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Escape::Whole(2),
            Some(b'u') => {
                let mut end = self.at + 2;
                while end < self.at + 6 && self.byte(end).is_some_and(|digit| digit.is_ascii_hexdigit()) {
                    end += 1;
                }
                match end {
                    end if end == self.at + 6 => Escape::Whole(6),
                    end if end == self.bytes.len() => Escape::Cut,
                    _ => Escape::Wrong,
                }
            }
            Some(_) => Escape::Wrong,
        }
    }

    /// Reads what has no quotes. What begins with a sign, such as a curly quote, is no word.
    pub(super) fn word(&mut self, is_name: bool) -> End {
        let start = self.at;
        while self.byte(self.at).is_some_and(is_word_byte) {
            self.at += 1;
        }
        let word = self.text.get(start..self.at).unwrap_or_default();
        let is_cut = self.at == self.bytes.len();
        let known = WORDS.iter().find(|(written, _)| *written == word && !is_name);
        match word.as_bytes().first() {
            _ if let Some((written, meant)) = known => {
                self.out.push_str(meant);
                if written != meant {
                    self.note(Strategy::PythonLiterals);
                }
                self.settle();
            }
            Some(b'-' | b'0'..=b'9') if !is_name => {
                let length = length_of_number(word, is_cut);
                if length == 0 && !is_cut {
                    return End::Wrong;
                }
                if length > 0 {
                    self.out.push_str(word.get(..length).unwrap_or_default());
                    self.settle();
                }
            }
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | 0xc3..=0xe1 | 0xe3..)
                if self.is_in_object() && !self.byte(self.at).is_some_and(is_quote) =>
            {
                word.write_json(&mut self.out);
                self.note(Strategy::UnquotedText);
                if !is_name && !is_cut {
                    self.settle();
                }
            }
            _ => return End::Wrong,
        }
        if is_cut { End::Cut } else { End::Whole }
    }

    /// Whether the quote here ends the name of a member, behind another quote before `start`: then the string before it
    /// has lost a quote.
    fn is_behind_name(&self, start: usize) -> bool {
        let before = self.text.get(..start - 1).unwrap_or_default();
        may_begin_name(before, self.text.get(start..self.at).unwrap_or_default())
            && self.is_closing(Place::Lost, false)
    }

    /// Whether the quote here ends its string.
    fn is_closing(&self, place: Place, has_quotes: bool) -> bool {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        #[cfg(test)]
        self.work.set(self.work.get() + rest.len().min(crate::json::mend::closing::WINDOW));
        let around = Around { place, depth: self.open.len(), has_round: false, has_quotes };
        let is_value = matches!(place, Place::Member | Place::Item);
        ends_string(rest, true, around) != Some(false) || is_value && self.is_before_end_of_fence(self.at + 1)
    }
}

/// What a backslash in a string begins.
enum Escape {
    /// An escape of so many bytes.
    Whole(usize),
    /// One that ends with the text.
    Cut,
    Wrong,
}

/// How much of a word is a number: nothing or all; where it ends with the text, the longest beginning that is one.
fn length_of_number(word: &str, is_cut: bool) -> usize {
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
