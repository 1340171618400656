//! The interface that a stream comes from.

use crate::model::Api;
use crate::provider::{Codec, Entry, Event, Provider, entry, find_codec};
use crate::save::{Reader, State, Writer};

/// The interface that the stream comes from, once it is known, and what reads it.
pub(super) struct Source {
    origin: Origin,
    pub(super) provider: Box<dyn Provider>,
}

enum Origin {
    Interface(&'static Entry),
    /// A codec of this name.
    Codec(String),
}

impl Source {
    pub(super) fn new(entry: &'static Entry) -> Self {
        Self { origin: Origin::Interface(entry), provider: (entry.reader)() }
    }

    pub(super) fn of_codec(codec: &dyn Codec) -> Self {
        Self { origin: Origin::Codec(codec.name().to_owned()), provider: codec.stream_reader() }
    }

    /// Its name, as it is in the option `api`.
    pub(super) fn name(&self) -> &str {
        match &self.origin {
            Origin::Interface(entry) => entry.api.as_str(),
            Origin::Codec(name) => name,
        }
    }

    /// What the options `api` and `codec` are for it.
    pub(super) fn option(&self) -> (Option<Api>, Option<String>) {
        match &self.origin {
            Origin::Interface(entry) => (Some(entry.api), None),
            Origin::Codec(name) => (None, Some(name.clone())),
        }
    }

    /// Whether all events go to the provider, be they what they may.
    pub(super) fn takes_all(&self) -> bool {
        matches!(self.origin, Origin::Codec(_))
    }

    /// Whether this is an event of the interface.
    pub(super) fn is_own(&self, event: &Event<'_>) -> bool {
        match self.origin {
            Origin::Interface(entry) => (entry.is_event)(event),
            Origin::Codec(_) => true,
        }
    }
}

impl State for Source {
    fn save(&self, to: &mut Writer) {
        match &self.origin {
            Origin::Interface(entry) => Ok(entry.api).save(to),
            Origin::Codec(name) => Err(name.clone()).save(to),
        }
        match self.provider.save() {
            Some(state) => state.save(to),
            None => to.refuse(self.name()),
        }
    }

    fn load(from: &mut Reader<'_>) -> Option<Self> {
        let source = match State::load(from)? {
            Ok(api) => entry(api).map(Self::new),
            Err(name) => {
                let codec = find_codec(&name).map(|codec| Self::of_codec(&*codec));
                if codec.is_none() {
                    from.miss(&name);
                }
                codec
            }
        };
        let mut source = source?;
        let state = Vec::<u8>::load(from)?;
        let is_restored = source.provider.restore(&state);
        if !is_restored && source.takes_all() {
            from.miss(source.name());
        }
        is_restored.then_some(source)
    }
}

impl State for Result<Api, String> {
    fn save(&self, to: &mut Writer) {
        self.is_ok().save(to);
        match self {
            Ok(api) => api.save(to),
            Err(name) => name.save(to),
        }
    }

    fn load(from: &mut Reader<'_>) -> Option<Self> {
        if bool::load(from)? { Api::load(from).map(Ok) } else { String::load(from).map(Err) }
    }
}
