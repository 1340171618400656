//! Text of servers that send the whole text so far in each piece, not only the new part: `MiniMax` by its
//! documentation, `DashScope` at times. The second piece alone can't prove it, so a piece that begins with all of the
//! text before it is held back until the next one, or the end, decides. Other servers send only new text, and the whole
//! text once more as the last piece. That piece is held back too: if more follows, it was new.

use crate::save::state;

/// How the pieces of a text grow, as far as is known.
#[derive(Debug, Default)]
pub(super) enum Growth {
    /// Unknown: at most one piece so far.
    #[default]
    Open,
    /// Undecided: each piece began with the one before it, or one piece equalled the whole text. Contains the pieces
    /// that are held back, concatenated, and the byte offset of the last one in them.
    Held { pieces: String, last: usize },
    /// Each piece is the whole text so far.
    Whole,
    /// Each piece is new text.
    Settled,
}

state! { enum Growth { 0 Open, 1 Held { pieces, last }, 2 Whole, 3 Settled } }

/// If a piece of at least this many bytes is a prefix of the next one, that is no coincidence.
const LIKELY: usize = 8;
/// With only two pieces, a shorter prefix may be a coincidence.
const MIN_FIRST: usize = 4;

/// A shorter piece may well be new, even if it equals the whole text before it.
pub(crate) const MIN_AGAIN: usize = 40;

/// If the first bytes of a text, at most this many, occur again in it, the text is a loop.
const MAX_LOOP: usize = 64;

/// Whether a piece repeats the whole text before it. Looping text doesn't count: a model that has gone astray writes
/// the same few words again and again.
fn is_all_again(known: &str, piece: &str) -> bool {
    if piece.len() < MIN_AGAIN || known != piece {
        return false;
    }
    let bytes = known.as_bytes();
    let start = bytes.get(..MAX_LOOP.min(bytes.len() / 2)).unwrap_or_default();
    !bytes.windows(start.len()).skip(1).any(|window| window == start)
}

impl Growth {
    /// Reads the next piece. `known` is the text so far. Returns what the piece adds.
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
        // The last piece may have nothing new.
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

    /// Ends the text. Returns the held-back text that belongs to it.
    pub(super) fn end(&mut self, known: &str) -> String {
        let last = if let Self::Held { last, .. } = self { *last } else { 0 };
        let held = self.settle();
        // Digits often repeat, and so do words after white space. A zero-width joiner is only part of a character.
        let is_open = |end: char| end.is_ascii_digit() || end.is_whitespace() || end == '\u{200d}';
        let is_word = known.len() >= MIN_FIRST && !known.ends_with(is_open);
        let is_likely = |whole: &&str| whole.len() >= LIKELY && (is_word || last > 0 || *whole == known);
        let whole = held.get(last..).filter(is_likely);
        whole.and_then(|whole| whole.strip_prefix(known)).map(str::to_owned).unwrap_or(held)
    }

    /// Treats each piece as new text from now on. Returns the pieces that were held back.
    pub(super) fn settle(&mut self) -> String {
        match std::mem::replace(self, Self::Settled) {
            Self::Held { pieces, .. } => pieces,
            _ => String::new(),
        }
    }

    /// Whether pieces may be merged before they are read.
    pub(super) fn is_settled(&self) -> bool {
        matches!(self, Self::Settled)
    }
}

/// What a piece adds to a text.
pub(super) enum Added {
    Nothing,
    /// The piece from this byte offset on.
    Rest(usize),
    /// The text that was held back, and then the whole piece.
    Held(String),
}
