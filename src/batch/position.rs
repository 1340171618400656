//! Beginning of a result: the position of its line.

use crate::json::ObjectWriter;

/// The position of the first line of a block. Each result then begins with the position of its line.
#[derive(Debug, Clone, Copy)]
pub struct Position<'a> {
    /// The name of the file, if there are several.
    pub file: Option<&'a str>,
    /// The number of the first line.
    pub line: usize,
}

/// Beginning of each result of a file, up to the line number.
pub(super) struct Beginning(Vec<u8>);

impl Beginning {
    pub(super) fn new(position: Position<'_>) -> Self {
        let mut start = String::new();
        let mut out = ObjectWriter::new(&mut start);
        out.optional("file", position.file.as_ref());
        out.member("line", &"");
        let mut start = start.into_bytes();
        start.truncate(start.len() - r#""""#.len());
        Self(start)
    }

    /// Writes the beginning. Returns the position of the rest of the result, whose opening brace becomes a comma.
    pub(super) fn write(&self, line: usize, out: &mut Vec<u8>) -> usize {
        out.extend_from_slice(&self.0);
        push_digits(line, out);
        out.len()
    }
}

/// Appends a number. The standard formatter would take longer than copying the rest of a line.
fn push_digits(number: usize, out: &mut Vec<u8>) {
    let start = out.len();
    let mut rest = number;
    loop {
        out.push(b'0' + (rest % 10) as u8);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if let Some(digits) = out.get_mut(start..) {
        digits.reverse();
    }
}
