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
    Unknown,
    /// Undecided: each piece began with the one before it, or one piece equalled the whole text. Contains the pieces
    /// that are held back, concatenated, and the byte offset of the last one in them.
    Undecided { pieces: String, last: usize },
    /// Each piece is the whole text so far.
    Cumulative,
    /// Each piece is new text.
    Incremental,
}

state! { enum Growth { 0 Unknown, 1 Undecided { pieces, last }, 2 Cumulative, 3 Incremental } }

/// If a piece of at least this many bytes is a prefix of the next one, that is no coincidence.
const MIN_SIGNIFICANT: usize = 8;
/// With only two pieces, a shorter prefix may be a coincidence.
const MIN_FIRST: usize = 4;

/// A shorter piece may well be new, even if it equals the whole text before it.
pub(crate) const MIN_REPEATED: usize = 40;

/// If the first bytes of a text, at most this many, occur again in it, the text is a loop.
const MAX_LOOP: usize = 64;

/// Whether a piece repeats the whole text before it. Looping text doesn't count: a model that has gone astray writes
/// the same few words again and again.
fn repeats_all(known: &str, piece: &str) -> bool {
    if piece.len() < MIN_REPEATED || known != piece {
        return false;
    }
    let bytes = known.as_bytes();
    let start = bytes.get(..MAX_LOOP.min(bytes.len() / 2)).unwrap_or_default();
    !bytes.windows(start.len()).skip(1).any(|window| window == start)
}

impl Growth {
    /// Reads the next piece. `known` is the text so far. Returns what the piece adds.
    pub(super) fn read(&mut self, known: &str, piece: &str) -> Added {
        if matches!(self, Self::Cumulative) {
            if let Some(news) = piece.strip_prefix(known) {
                return Added::From(piece.len() - news.len());
            }
            *self = Self::Incremental;
        }
        let before = match self {
            Self::Unknown if known.is_empty() => return Added::From(0),
            Self::Incremental if repeats_all(known, piece) => {
                *self = Self::Undecided { pieces: piece.to_owned(), last: 0 };
                return Added::Nothing;
            }
            Self::Unknown => known,
            Self::Undecided { pieces, last } => pieces.get(*last..).unwrap_or_default(),
            Self::Cumulative | Self::Incremental => return Added::From(0),
        };
        let is_growing = piece
            .strip_prefix(before)
            .is_some_and(|rest| !rest.is_empty() && !rest.starts_with(before) && !before.starts_with(rest));
        let is_significant = before.len() >= MIN_SIGNIFICANT;
        // The last piece may have nothing new.
        let is_grown = is_significant && piece == before && matches!(self, Self::Undecided { .. });
        if !is_growing && !is_grown {
            return Added::HeldBack(self.settle());
        }
        match self {
            Self::Undecided { .. } if is_significant => {
                *self = Self::Cumulative;
                return Added::From(known.len());
            }
            Self::Undecided { pieces, last } => {
                *last = pieces.len();
                pieces.push_str(piece);
            }
            _ => *self = Self::Undecided { pieces: piece.to_owned(), last: 0 },
        }
        Added::Nothing
    }

    /// Ends the text. Returns the held-back text that belongs to it.
    pub(super) fn end(&mut self, known: &str) -> String {
        let last = if let Self::Undecided { last, .. } = self { *last } else { 0 };
        let held = self.settle();
        // Digits often repeat, and so do words after white space. A zero-width joiner is only part of a character.
        let is_open = |end: char| end.is_ascii_digit() || end.is_whitespace() || end == '\u{200d}';
        let is_word = known.len() >= MIN_FIRST && !known.ends_with(is_open);
        let is_significant =
            |whole: &&str| whole.len() >= MIN_SIGNIFICANT && (is_word || last > 0 || *whole == known);
        let whole = held.get(last..).filter(is_significant);
        whole.and_then(|whole| whole.strip_prefix(known)).map(str::to_owned).unwrap_or(held)
    }

    /// Treats each piece as new text from now on. Returns the pieces that were held back.
    pub(super) fn settle(&mut self) -> String {
        match std::mem::replace(self, Self::Incremental) {
            Self::Undecided { pieces, .. } => pieces,
            _ => String::new(),
        }
    }

    /// Whether pieces may be merged before they are read.
    pub(super) fn is_settled(&self) -> bool {
        matches!(self, Self::Incremental)
    }
}

/// What a piece adds to a text.
pub(super) enum Added {
    Nothing,
    /// The piece from this byte offset on.
    From(usize),
    /// The text that was held back, and then the whole piece.
    HeldBack(String),
}
