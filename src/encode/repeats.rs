//! Pieces of a text that no reader takes for all of it so far. Some servers send all of the text in each piece; readers
//! recognise them by a piece that begins with all that came before.

/// Passes on what follows `from` in a text: mostly as one piece, otherwise as several of which none begins with all that
/// was written before and goes on. `lead`: what was written before the text.
pub(super) fn each_piece<'a>(
    lead: &(impl Iterator<Item = &'a str> + Clone),
    text: &'a str,
    from: usize,
    mut write: impl FnMut(&'a str),
) {
    let Some((mut before, mut rest)) = text.split_at_checked(from) else { return };
    // A piece that is shorter than all before it can't begin with that.
    while rest.len() > before.len()
        && let Some(repeated) = repeated_in(rest, lead.clone().chain([before]))
    {
        let (piece, next) = rest.split_at(without_last(rest, repeated));
        write(piece);
        (before, rest) = text.split_at(text.len() - next.len());
    }
    if !rest.is_empty() {
        write(rest);
    }
}

/// How much of a piece is all that was written before, if the piece begins with that and goes on.
fn repeated_in<'a>(piece: &str, before: impl Iterator<Item = &'a str>) -> Option<usize> {
    let mut rest = piece;
    for text in before {
        rest = rest.strip_prefix(text)?;
    }
    (!rest.is_empty() && rest.len() < piece.len()).then_some(piece.len() - rest.len())
}

/// How many bytes come before the last of so many characters, unless there is only one.
fn without_last(piece: &str, end: usize) -> usize {
    match piece.floor_char_boundary(end - 1) {
        0 => end,
        at => at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces<'a>(lead: &[&'a str], text: &'a str, from: usize) -> Vec<&'a str> {
        let mut pieces = Vec::new();
        each_piece(&lead.iter().copied(), text, from, |piece| pieces.push(piece));
        pieces
    }

    #[test]
    fn what_goes_on_is_one_piece() {
        assert_eq!(pieces(&[], "Hello", 0), ["Hello"]);
        assert_eq!(pieces(&[], "Hello world", 5), [" world"]);
        assert_eq!(pieces(&[], "haha", 2), ["ha"]);
        assert_eq!(pieces(&["ha"], "he", 0), ["he"]);
        assert!(pieces(&[], "Hello", 5).is_empty());
        assert!(pieces(&[], "é", 1).is_empty());
    }

    #[test]
    fn what_begins_with_all_before_it_is_split() {
        assert_eq!(pieces(&[], "HelloHello world", 5), ["Hell", "o world"]);
        assert_eq!(pieces(&["Hel", "lo"], "Hello world", 0), ["Hell", "o world"]);
        assert_eq!(pieces(&[], "ééa", 2), ["é", "a"]);
    }

    #[test]
    fn a_text_of_one_character_again_and_again_is_split_into_few_pieces() {
        let text = "a".repeat(10_000);
        let pieces = pieces(&[], &text, 1);
        assert!(pieces.len() < 20, "{}", pieces.len());
        let mut written = 1;
        for piece in pieces {
            assert!(piece.len() <= written);
            written += piece.len();
        }
        assert_eq!(written, text.len());
    }
}
