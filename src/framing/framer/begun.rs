//! Whether one object is all of the stream.

use crate::framing::framer::Framer;
use crate::model::Alone;
use crate::save::state;

/// What has begun so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begun {
    Nothing,
    /// An object, as a body that is no stream.
    Object,
    More,
    /// An object that came parsed.
    Parsed,
    /// The data of one event.
    Event,
}

state! { enum Begun { 0 Nothing, 1 Object, 2 More, 3 Parsed, 4 Event } }

impl Framer {
    /// How the object came that is all of the stream, if it is one.
    pub(crate) fn alone(&self) -> Option<Alone> {
        match self.begun {
            Begun::Object => self.is_between().then_some(Alone::Body),
            Begun::Parsed => Some(Alone::Parsed),
            Begun::Event => Some(Alone::Event),
            Begun::Nothing | Begun::More => None,
        }
    }

    /// An object comes parsed, so that its bytes don't come here.
    pub(crate) fn note_parsed_object(&mut self) {
        self.begun = if self.begun == Begun::Nothing { Begun::Parsed } else { Begun::More };
    }

    /// A record begins with this byte, unless it is blank.
    pub(super) fn note_begin(&mut self, first: Option<&u8>) {
        self.begun = match (self.begun, first) {
            // The last ones are comments, and the other fields of an event.
            (begun, None | Some(b'\n' | b'\r'))
            | (begun @ (Begun::Nothing | Begun::Event), Some(b':' | b'e' | b'i' | b'r')) => begun,
            (Begun::Nothing, Some(b'd')) => Begun::Event,
            (Begun::Nothing, Some(b'{')) => Begun::Object,
            _ => Begun::More,
        };
    }
}
