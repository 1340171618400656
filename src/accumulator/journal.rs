//! What a provider says, in its order, for those who write the response in another form while it arrives.
//!
//! A note says what has changed and how far it reaches now; the content itself stays with the builder. Notes are drained
//! after each read, so they hold no text and take no memory that grows.

use super::choice::PartKind;
use super::place::Place;

/// Something that a provider said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Note {
    /// Text, reasoning or a refusal now reaches to this byte.
    Text { kind: PartKind, place: Place, end: usize },
    /// The beginning of such a text was missing and has come now, which moved all that was there by so many bytes. It stands
    /// before the notes of its read: what they are about is where it is now.
    TextMoved { kind: PartKind, place: Place, by: usize },
    /// More of the signature of a reasoning or text part.
    Signature { kind: PartKind, place: Place },
    /// The encrypted form of a reasoning part.
    Encrypted { place: Place },
    /// The text now has so many annotations.
    Annotations { place: Place, end: usize },
    /// The text now has so many log probabilities.
    Logprobs { place: Place, end: usize },
    /// Speech.
    Audio { place: Place },
    /// A part that comes as a whole, or its latest state.
    Part { place: Place },
    /// A call begins: its id and name are known.
    CallStart { place: Place },
    /// The arguments of a call now reach to this byte.
    CallArguments { place: Place, end: usize },
    /// As [`TextMoved`](Self::TextMoved), of arguments.
    CallMoved { place: Place, by: usize, end: usize },
    /// Other arguments have taken the place of those that were streamed, and reach to this byte.
    CallReplaced { place: Place, end: usize },
    /// A call is over. Its arguments reach to this byte; 0 if there are none, which is `{}`.
    CallEnd { place: Place, end: usize },
    /// More of the signature of a call has come after its end.
    LateSignature { place: Place },
    /// A choice is over.
    Finish,
    /// The provider says that the stream is over.
    Done,
    /// The first failure.
    Failure,
}

impl Note {
    fn is_due(self) -> bool {
        matches!(
            self,
            Self::Signature { .. }
                | Self::Encrypted { .. }
                | Self::CallStart { .. }
                | Self::CallEnd { .. }
                | Self::Finish
                | Self::Done
                | Self::Failure
        )
    }

    /// The choice that it is about.
    pub(crate) fn choice(self) -> Option<u32> {
        match self {
            Self::Text { place, .. }
            | Self::TextMoved { place, .. }
            | Self::Signature { place, .. }
            | Self::Encrypted { place }
            | Self::Annotations { place, .. }
            | Self::Logprobs { place, .. }
            | Self::Audio { place }
            | Self::Part { place }
            | Self::CallStart { place }
            | Self::CallArguments { place, .. }
            | Self::CallMoved { place, .. }
            | Self::CallReplaced { place, .. }
            | Self::CallEnd { place, .. }
            | Self::LateSignature { place } => Some(place.choice),
            Self::Finish | Self::Done | Self::Failure => None,
        }
    }
}

/// Notes that have not been drained.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    notes: Vec<Note>,
    /// Whether notes of neighbouring pieces of the same text become one.
    is_joining: bool,
    /// Whether the response has begun for whoever reads the notes: it does with the first note, with what is known then.
    pub(in crate::accumulator) has_begun: bool,
    /// Whether something is noted that has to be written before more is read: it is about the response as it is now.
    pub(super) is_due: bool,
}

impl Journal {
    pub(super) fn new(is_joining: bool, has_begun: bool) -> Self {
        Self { notes: Vec::new(), is_joining, has_begun, is_due: false }
    }

    /// Exchanges the notes for an empty list, whose memory is used from now on.
    pub(super) fn swap(&mut self, notes: &mut Vec<Note>) {
        std::mem::swap(&mut self.notes, notes);
        self.is_due = false;
    }

    pub(super) fn add(&mut self, note: Note) {
        if let (Some(last), true) = (self.notes.last_mut(), self.is_joining)
            && continues(*last, note)
        {
            *last = note;
            return;
        }
        self.is_due |= note.is_due() || !self.has_begun;
        self.has_begun = true;
        self.notes.push(note);
    }

    /// The beginning of a text has come after the rest.
    pub(super) fn add_moved_text(&mut self, kind: PartKind, place: Place, by: usize, end: usize) {
        self.notes.retain(|known| !is_of_text(*known, kind, place));
        self.notes.insert(0, Note::TextMoved { kind, place, by });
        self.add(Note::Text { kind, place, end });
    }

    /// Other arguments, or their beginning, have come after the rest: what is still to be drained of them reaches further.
    pub(super) fn add_moved_arguments(&mut self, note: Note) {
        self.notes.retain(|known| !is_of_same(*known, note));
        self.notes.push(note);
    }
}

/// Whether a note says all that the one before it says.
fn continues(last: Note, note: Note) -> bool {
    match (last, note) {
        (last, Note::Text { kind, place, .. }) => is_of_text(last, kind, place),
        (Note::CallArguments { place, .. }, Note::CallArguments { place: at, .. }) => place == at,
        (last, note) => last == note,
    }
}

/// Whether a note says how far this text reaches.
fn is_of_text(known: Note, kind: PartKind, place: Place) -> bool {
    matches!(known, Note::Text { kind: other, place: at, .. } if (other, at) == (kind, place))
}

/// Whether a note is about the arguments that this one moves.
fn is_of_same(known: Note, moved: Note) -> bool {
    match (known, moved) {
        (
            Note::CallArguments { place, .. },
            Note::CallMoved { place: at, .. } | Note::CallReplaced { place: at, .. },
        ) => place == at,
        _ => false,
    }
}
