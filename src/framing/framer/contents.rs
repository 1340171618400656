//! Tracks whether a single object is the whole stream.

use crate::framing::framer::Framer;
use crate::model::Alone;
use crate::save::state;

/// The contents of the stream so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamContents {
    Nothing,
    /// An object outside of events, such as a body that isn't a stream.
    Object,
    More,
    /// An object that was pushed already parsed.
    Parsed,
    /// The data of one event.
    Event,
}

state! { enum StreamContents { 0 Nothing, 1 Object, 2 More, 3 Parsed, 4 Event } }

impl Framer {
    /// Returns how the object arrived that is the whole stream, if there is one.
    pub(crate) fn standalone(&self) -> Option<Alone> {
        match self.begun {
            StreamContents::Object => self.is_between().then_some(Alone::Body),
            StreamContents::Parsed => Some(Alone::Parsed),
            StreamContents::Event => Some(Alone::Event),
            StreamContents::Nothing | StreamContents::More => None,
        }
    }

    /// Notes an object that was pushed already parsed, so that its bytes aren't read here.
    pub(crate) fn mark_parsed_object(&mut self) {
        self.begun =
            if self.begun == StreamContents::Nothing { StreamContents::Parsed } else { StreamContents::More };
    }

    /// Notes that a record begins with this byte, unless it is blank.
    pub(super) fn record_first_byte(&mut self, first: Option<&u8>) {
        self.begun = match (self.begun, first) {
            // The last pattern matches comments and the other fields of an event.
            (begun, None | Some(b'\n' | b'\r'))
            | (begun @ (StreamContents::Nothing | StreamContents::Event), Some(b':' | b'e' | b'i' | b'r')) => {
                begun
            }
            (StreamContents::Nothing, Some(b'd')) => StreamContents::Event,
            (StreamContents::Nothing, Some(b'{')) => StreamContents::Object,
            _ => StreamContents::More,
        };
    }
}
