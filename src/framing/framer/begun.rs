//! Tracks whether a single object is the whole stream.

use crate::framing::framer::Framer;
use crate::model::Alone;
use crate::save::state;

/// The contents of the stream so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begun {
    Nothing,
    /// An object outside of events, such as a body that isn't a stream.
    Object,
    More,
    /// An object that was pushed already parsed.
    Parsed,
    /// The data of one event.
    Event,
}

state! { enum Begun { 0 Nothing, 1 Object, 2 More, 3 Parsed, 4 Event } }

impl Framer {
    /// Returns how the object arrived that is the whole stream, if there is one.
    pub(crate) fn alone(&self) -> Option<Alone> {
        match self.begun {
            Begun::Object => self.is_between().then_some(Alone::Body),
            Begun::Parsed => Some(Alone::Parsed),
            Begun::Event => Some(Alone::Event),
            Begun::Nothing | Begun::More => None,
        }
    }

    /// Notes an object that was pushed already parsed, so that its bytes aren't read here.
    pub(crate) fn note_parsed_object(&mut self) {
        self.begun = if self.begun == Begun::Nothing { Begun::Parsed } else { Begun::More };
    }

    /// Notes that a record begins with this byte, unless it is blank.
    pub(super) fn note_begin(&mut self, first: Option<&u8>) {
        self.begun = match (self.begun, first) {
            // The last pattern matches comments and the other fields of an event.
            (begun, None | Some(b'\n' | b'\r'))
            | (begun @ (Begun::Nothing | Begun::Event), Some(b':' | b'e' | b'i' | b'r')) => begun,
            (Begun::Nothing, Some(b'd')) => Begun::Event,
            (Begun::Nothing, Some(b'{')) => Begun::Object,
            _ => Begun::More,
        };
    }
}
