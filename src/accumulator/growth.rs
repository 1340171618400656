//! Text of servers that send all of it so far in each piece, and not only what is new: `MiniMax` by its documentation,
//! `DashScope` at times. By the second piece alone that isn't certain, so a piece that begins with all before it is
//! held back until the next one, or the end, decides. Others send only what is new, and all of the text once more as the
//! last piece, which is held back too: if more follows, it was new.

use crate::save::state;

/// What is known of how the pieces of a text grow.
#[derive(Debug, Default)]
pub(super) enum Growth {
    /// There is one piece, or none.
    #[default]
    Open,
    /// Each piece begins with the one before, or one is all of the text. All but the first, joined; and where the last of
    /// them begins.
    Held { pieces: String, last: usize },
    /// Each piece is all of the text.
    Whole,
    /// Each piece is only what is new.
    Settled,
}

state! { enum Growth { 0 Open, 1 Held { pieces, last }, 2 Whole, 3 Settled } }

/// A piece of so many bytes with which the next one begins is no accident.
const LIKELY: usize = 8;
/// Shorter beginnings of a text that has only two pieces may well be one.
const MIN_FIRST: usize = 4;

/// A shorter piece that is all before it may well be new.
pub(crate) const MIN_AGAIN: usize = 40;

/// So many bytes of a text that come twice in it are a loop.
const MAX_LOOP: usize = 64;

/// Whether a piece is all before it. A model that goes astray may write the same few words again and again.
fn is_all_again(known: &str, piece: &str) -> bool {
    if piece.len() < MIN_AGAIN || known != piece {
        return false;
    }
    let bytes = known.as_bytes();
    let start = bytes.get(..MAX_LOOP.min(bytes.len() / 2)).unwrap_or_default();
    !bytes.windows(start.len()).skip(1).any(|window| window == start)
}

impl Growth {
    /// The next piece of a text of which this much is known; gives what it adds.
    pub(super) fn read(&mut self, known: &str, piece: &str) -> Added {
        if matches!(self, Self::Whole) {
            if let Some(news) = piece.strip_prefix(known) {
                return Added::Rest(piece.len() - news.len());
            }
            *self = Self::Settled;
        }
        let before = match self {
            Self::Open if known.is_empty() => return Added::Rest(0),
            Self::Settled if is_all_again(known, piece) => {
                *self = Self::Held { pieces: piece.to_owned(), last: 0 };
                return Added::Nothing;
            }
            Self::Open => known,
            Self::Held { pieces, last } => pieces.get(*last..).unwrap_or_default(),
            Self::Whole | Self::Settled => return Added::Rest(0),
        };
        let is_growing = piece
            .strip_prefix(before)
            .is_some_and(|rest| !rest.is_empty() && !rest.starts_with(before) && !before.starts_with(rest));
        let is_likely = before.len() >= LIKELY;
        // The last one may have nothing new.
        let is_grown = is_likely && piece == before && matches!(self, Self::Held { .. });
        if !is_growing && !is_grown {
            return Added::Held(self.settle());
        }
        match self {
            Self::Held { .. } if is_likely => {
                *self = Self::Whole;
                return Added::Rest(known.len());
            }
            Self::Held { pieces, last } => {
                *last = pieces.len();
                pieces.push_str(piece);
            }
            _ => *self = Self::Held { pieces: piece.to_owned(), last: 0 },
        }
        Added::Nothing
    }

    /// The text is over. Gives what was held back of it.
    pub(super) fn end(&mut self, known: &str) -> String {
        let last = if let Self::Held { last, .. } = self { *last } else { 0 };
        let held = self.settle();
        // Digits may well come twice, and words behind white space. A joiner is half of a character.
        let is_open = |end: char| end.is_ascii_digit() || end.is_whitespace() || end == '\u{200d}';
        let is_word = known.len() >= MIN_FIRST && !known.ends_with(is_open);
        let is_likely = |whole: &&str| whole.len() >= LIKELY && (is_word || last > 0 || *whole == known);
        let whole = held.get(last..).filter(is_likely);
        whole.and_then(|whole| whole.strip_prefix(known)).map(str::to_owned).unwrap_or(held)
    }

    /// Each piece is only what is new. Gives those that were held back.
    pub(super) fn settle(&mut self) -> String {
        match std::mem::replace(self, Self::Settled) {
            Self::Held { pieces, .. } => pieces,
            _ => String::new(),
        }
    }

    /// Whether pieces may be joined before they are read.
    pub(super) fn is_settled(&self) -> bool {
        matches!(self, Self::Settled)
    }
}

/// What a piece adds to a text.
pub(super) enum Added {
    Nothing,
    /// The piece from this byte on.
    Rest(usize),
    /// What was held back, and all of the piece.
    Held(String),
}
