//! Lines that are quoted: Markdown's block quotes and indented code. Also where a code fence may begin.

use crate::save::state;

/// Columns of indentation that make a line code.
const INDENT: u8 = 4;

/// The current line, as far as it has been read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Line {
    /// Columns of indentation.
    indent: u8,
    has_text: bool,
    is_quote: bool,
    /// Whether the previous line was empty, or code.
    is_after_gap: bool,
    lead: Lead,
}

state! { struct Line { indent, has_text, is_quote, is_after_gap, lead } }

/// What the line begins with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Lead {
    /// White space, and complete list markers.
    #[default]
    Blank,
    /// Digits of a list marker.
    Digits,
    /// A list marker that has to be followed by white space.
    Marker,
    /// Anything else.
    Text,
}

state! { enum Lead { 0 Blank, 1 Digits, 2 Marker, 3 Text } }

impl Lead {
    fn read(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::Blank | Self::Marker, b' ' | b'\t') => Self::Blank,
            (Self::Blank, b'-' | b'*' | b'+') | (Self::Digits, b'.' | b')') => Self::Marker,
            (Self::Blank | Self::Digits, b'0'..=b'9') => Self::Digits,
            _ => Self::Text,
        }
    }
}

impl Line {
    /// Whether the line is quoted or code.
    pub(crate) fn is_quoted(self) -> bool {
        self.is_quote || self.is_code()
    }

    /// Whether a code fence may begin: only white space and list markers precede it.
    pub(crate) fn is_before_block(self) -> bool {
        self.lead == Lead::Blank
    }

    fn is_code(self) -> bool {
        self.is_after_gap && self.indent >= INDENT
    }

    /// Continues to read the line, or the next ones.
    pub(crate) fn read(&mut self, text: &[u8]) {
        let mut rest = text;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest);
            let (line, behind) = rest.split_at(end.unwrap_or(rest.len()));
            for byte in line {
                if self.lead == Lead::Text {
                    break;
                }
                self.lead = self.lead.read(*byte);
                match byte {
                    _ if self.has_text => {}
                    b' ' => self.indent = self.indent.saturating_add(1),
                    b'\t' => self.indent = self.indent.max(INDENT),
                    b'\r' => self.lead = Lead::Blank,
                    _ => {
                        self.has_text = true;
                        self.is_quote = *byte == b'>' && !self.is_code();
                    }
                }
            }
            if end.is_some() {
                let is_gap = !self.has_text || self.is_code();
                *self = Self { is_after_gap: is_gap, ..Self::default() };
            }
            rest = behind.get(1..).unwrap_or_default();
        }
    }
}
