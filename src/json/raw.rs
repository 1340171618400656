//! JSON text that is kept as it came.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// A valid JSON text, kept to the letter: numbers of any size, order of keys, white space.
///
/// Two are equal where their texts are.
///
/// ```
/// use respool::json::RawJson;
///
/// let raw = RawJson::parse(r#"{"n": 1.0}"#).unwrap();
/// assert_eq!(serde_json::to_string(&raw).unwrap(), r#"{"n": 1.0}"#);
/// assert!(RawJson::parse("{").is_none());
/// ```
#[derive(Clone)]
pub struct RawJson(Box<RawValue>);

impl RawJson {
    /// Keeps a JSON text; `None` where it is none.
    pub fn parse(text: impl Into<String>) -> Option<Self> {
        RawValue::from_string(text.into()).ok().map(Self)
    }

    /// `null`.
    pub fn null() -> Self {
        Self(RawValue::NULL.to_owned())
    }

    /// Keeps a string as a JSON string.
    pub fn string(text: &str) -> Self {
        Self::of(text)
    }

    /// Keeps a value as its JSON text; `null` where it has none.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Self {
        serde_json::value::to_raw_value(value).map_or_else(|_| Self::null(), Self)
    }

    /// The text.
    pub fn get(&self) -> &str {
        self.0.get()
    }
}

impl PartialEq for RawJson {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}
