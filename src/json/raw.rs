//! JSON text that is kept unchanged.

use std::fmt;
use std::sync::{Arc, LazyLock};

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::json::{Document, Progress, ProgressState, ToJson, to_json};
use crate::save::{Coder, State};

/// A valid JSON text, kept unchanged: numbers of any size, the order of keys, white space.
///
/// Two values are equal if their texts are. Clones share the text.
///
/// ```
/// use respool::json::RawJson;
///
/// let raw = RawJson::parse(r#"{"n": 1.0}"#).unwrap();
/// assert_eq!(serde_json::to_string(&raw).unwrap(), r#"{"n": 1.0}"#);
/// assert!(RawJson::parse("{").is_none());
/// ```
#[derive(PartialEq, Eq)]
pub struct RawJson(Arc<Box<str>>);

impl Clone for RawJson {
    #[inline(never)]
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl State for RawJson {
    fn blank() -> Self {
        Self::null()
    }

    #[inline(never)]
    fn code(&mut self, coder: &mut Coder<'_>) {
        let mut text = self.get().to_owned();
        text.code(coder);
        if coder.is_loading() {
            match Self::parse(text) {
                Some(raw) => *self = raw,
                None => coder.fail(),
            }
        }
    }
}

impl RawJson {
    /// Keeps a JSON text; `None` if the text isn't valid JSON.
    pub fn parse(text: impl Into<String>) -> Option<Self> {
        Self::parsed(text.into())
    }

    #[inline(never)]
    fn parsed(text: String) -> Option<Self> {
        let mut progress = Progress::default();
        progress.push(&text);
        (progress.state() == ProgressState::Complete).then(|| Self::valid(text))
    }

    /// Keeps a text that is known to be valid JSON.
    pub(crate) fn valid(text: impl Into<Box<str>>) -> Self {
        Self(Arc::new(text.into()))
    }

    /// Returns `null`.
    pub fn null() -> Self {
        // Shared, because a member is `null` before it gets a value.
        static NULL: LazyLock<RawJson> = LazyLock::new(|| RawJson::valid("null"));
        NULL.clone()
    }

    /// Keeps a string as a JSON string.
    pub fn string(text: &str) -> Self {
        Self::of(text)
    }

    /// Keeps a value as its JSON text.
    pub fn of<T: ToJson + ?Sized>(value: &T) -> Self {
        Self::valid(to_json(value))
    }

    /// Returns the text.
    pub fn get(&self) -> &str {
        &self.0
    }

    /// Returns the text as a document, of any depth, because the text was accepted before.
    pub(crate) fn document(&self) -> Option<Document<'_>> {
        Document::parse(self.get(), usize::MAX).ok()
    }
}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::Error;
        let raw: &RawValue = serde_json::from_str(self.get()).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}
