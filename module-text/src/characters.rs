//! The alphabet of the text: the printable ASCII characters that need no escaping in a script or an HTML page.

/// The size of the alphabet.
pub(crate) const COUNT: u8 = 92;

/// Number of byte values, the most frequent ones, that are encoded as one character. All others take two characters, of
/// which the first is one of the remaining ones.
pub(crate) const SINGLE: u8 = COUNT - 2;

/// Returns the index of a character in the alphabet. For other characters the index is arbitrary, so that invalid text
/// doesn't panic.
pub(crate) fn number(character: u8) -> u8 {
    let skipped = [b'"', b'<', b'\\'].iter().filter(|skipped| **skipped < character).count() as u8;
    character.wrapping_sub(b' ' + skipped)
}

/// Returns the character at an index of the alphabet.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn character(number: u8) -> char {
    let characters = (b' '..=b'~').filter(|character| !b"\"<\\".contains(character));
    characters.map(char::from).nth(usize::from(number)).unwrap_or(' ')
}
