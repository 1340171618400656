//! What a provider sends, in order, for encoders that write the response in another format while it arrives.
//!
//! A note says what has changed and how far it now extends; the content itself stays in the builder. Notes are drained
//! after each read, and contain no text, so they take little memory.

use super::choice::PartKind;
use super::place::Place;

/// A change of the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Note {
    /// Text, reasoning or a refusal now ends at this byte offset.
    Text { kind: PartKind, place: Place, end: usize },
    /// The missing beginning of such a text has arrived, so the text that was there has moved by this many bytes. This
    /// note comes before the other notes of its read, whose offsets are those after the move.
    TextMoved { kind: PartKind, place: Place, by: usize },
    /// A piece of the signature of a reasoning or text part.
    Signature { kind: PartKind, place: Place },
    /// The encrypted form of a reasoning part.
    Encrypted { place: Place },
    /// The text now has this many annotations.
    Annotations { place: Place, end: usize },
    /// The text now has this many log probabilities.
    Logprobs { place: Place, end: usize },
    /// A piece of audio.
    Audio { place: Place },
    /// A part that is sent as a whole, or its latest state.
    Part { place: Place },
    /// A call begins: its id and name are known.
    CallStart { place: Place },
    /// The arguments of a call now end at this byte offset.
    CallArguments { place: Place, end: usize },
    /// Like [`TextMoved`](Self::TextMoved), for arguments.
    CallMoved { place: Place, by: usize, end: usize },
    /// The streamed arguments were replaced by others, which end at this byte offset.
    CallReplaced { place: Place, end: usize },
    /// A call has ended. Its arguments end at this byte offset; 0 if there are none, which means `{}`.
    CallEnd { place: Place, end: usize },
    /// A piece of the signature of a call arrived after the call's end.
    LateSignature { place: Place },
    /// A choice has ended.
    Finish,
    /// The provider says that the stream has ended.
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

    /// Returns the choice that the note is about.
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
    /// Whether notes of neighbouring pieces of the same text are merged.
    is_joining: bool,
    /// Whether the encoder has begun to write the response: it does so at the first note, with what is known by then.
    pub(in crate::accumulator) has_begun: bool,
    /// Whether a note has to be written before more is read, because it is about the current state of the response.
    pub(super) is_due: bool,
}

impl Journal {
    pub(super) fn new(is_joining: bool, has_begun: bool) -> Self {
        Self { notes: Vec::new(), is_joining, has_begun, is_due: false }
    }

    /// Swaps the notes for an empty list, whose memory is used from now on.
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

    /// Notes that the beginning of a text arrived after the rest.
    pub(super) fn add_moved_text(&mut self, kind: PartKind, place: Place, by: usize, end: usize) {
        self.notes.retain(|known| !is_about_text(*known, kind, place));
        self.notes.insert(0, Note::TextMoved { kind, place, by });
        self.add(Note::Text { kind, place, end });
    }

    /// Notes that the beginning of arguments arrived after the rest, or that others replaced them. Earlier notes of
    /// their length are dropped.
    pub(super) fn add_moved_arguments(&mut self, note: Note) {
        self.notes.retain(|known| !is_about_same_call(*known, note));
        self.notes.push(note);
    }
}

/// Whether a note includes everything that the note before it says.
fn continues(last: Note, note: Note) -> bool {
    match (last, note) {
        (last, Note::Text { kind, place, .. }) => is_about_text(last, kind, place),
        (Note::CallArguments { place, .. }, Note::CallArguments { place: at, .. }) => place == at,
        (last, note) => last == note,
    }
}

/// Whether a note is about the length of this text.
fn is_about_text(known: Note, kind: PartKind, place: Place) -> bool {
    matches!(known, Note::Text { kind: other, place: at, .. } if (other, at) == (kind, place))
}

/// Whether a note is about the arguments that the other note moves or replaces.
fn is_about_same_call(known: Note, moved: Note) -> bool {
    match (known, moved) {
        (
            Note::CallArguments { place, .. },
            Note::CallMoved { place: at, .. } | Note::CallReplaced { place: at, .. },
        ) => place == at,
        _ => false,
    }
}
