//! The interface of a stream.

use crate::model::Api;
use crate::provider::{Codec, Entry, Event, Provider, entry, find_codec};
use crate::save::{Coder, State};

/// The interface of a stream, once it is known, and the provider that reads it.
pub(super) struct Source {
    origin: Origin,
    pub(super) provider: Box<dyn Provider>,
}

enum Origin {
    Interface(&'static Entry),
    /// Name of the codec.
    Codec(String),
}

impl Source {
    pub(super) fn new(entry: &'static Entry) -> Self {
        Self { origin: Origin::Interface(entry), provider: (entry.reader)() }
    }

    pub(super) fn from_codec(codec: &dyn Codec) -> Self {
        Self { origin: Origin::Codec(codec.name().to_owned()), provider: codec.stream_reader() }
    }

    /// Returns its name, as in the option `api`.
    pub(super) fn name(&self) -> &str {
        match &self.origin {
            Origin::Interface(entry) => entry.api.as_str(),
            Origin::Codec(name) => name,
        }
    }

    /// Returns the interface, or `None` for a codec.
    pub(super) fn api(&self) -> Option<Api> {
        match self.origin {
            Origin::Interface(entry) => Some(entry.api),
            Origin::Codec(_) => None,
        }
    }

    /// Returns the options `api` and `codec` that select this source.
    pub(super) fn option(&self) -> (Option<Api>, Option<String>) {
        match &self.origin {
            Origin::Interface(entry) => (Some(entry.api), None),
            Origin::Codec(name) => (None, Some(name.clone())),
        }
    }

    /// Whether the provider gets all events, whatever they contain.
    pub(super) fn reads_all_events(&self) -> bool {
        matches!(self.origin, Origin::Codec(_))
    }

    /// Whether an event matches the interface.
    pub(super) fn matches(&self, event: &Event<'_>) -> bool {
        match self.origin {
            Origin::Interface(entry) => (entry.is_event)(event),
            Origin::Codec(_) => true,
        }
    }
}

/// Saves the source of a stream: its name, and the state of its provider.
impl State for Option<Source> {
    fn blank() -> Self {
        None
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        let mut option = self.as_ref().map(Source::option);
        option.code(coder);
        if let Some(source) = self {
            return match source.provider.save() {
                Some(mut state) => state.code(coder),
                None => coder.miss(source.name()),
            };
        }
        let Some((api, name)) = option else { return };
        let source = match &name {
            Some(name) => find_codec(name).map(|codec| Source::from_codec(&*codec)),
            None => api.and_then(entry).map(Source::new),
        };
        let mut state = Vec::<u8>::new();
        state.code(coder);
        *self = source.and_then(|mut source| source.provider.restore(&state).then_some(source));
        match (&self, &name) {
            (Some(_), _) => {}
            (None, Some(name)) => coder.miss(name),
            (None, None) => coder.fail(),
        }
    }
}
