//! The characters of the text: all that can be printed, but for those which would have to be escaped in a script or in
//! a page.

/// How many there are.
pub(crate) const COUNT: u8 = 92;

/// So many bytes, the most frequent ones, are one character. All others are two, of which the first is none of these.
pub(crate) const SINGLE: u8 = COUNT - 2;

/// The number of a character; what is none of them has a number, too.
pub(crate) fn number(character: u8) -> u8 {
    let skipped = [b'"', b'<', b'\\'].iter().filter(|skipped| **skipped < character).count() as u8;
    character.wrapping_sub(b' ' + skipped)
}

/// The character with a number.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn character(number: u8) -> char {
    let characters = (b' '..=b'~').filter(|character| !b"\"<\\".contains(character));
    characters.map(char::from).nth(usize::from(number)).unwrap_or(' ')
}
