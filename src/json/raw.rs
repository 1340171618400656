//! JSON text that is kept as it came.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::json::{Progress, ProgressState};

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
#[derive(Clone, PartialEq, Eq)]
pub struct RawJson(Box<str>);

impl RawJson {
    /// Keeps a JSON text; `None` where it is none.
    pub fn parse(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        let mut progress = Progress::default();
        progress.push(&text);
        (progress.state() == ProgressState::Complete).then(|| Self::valid(text))
    }

    /// Keeps a text that is known to be JSON.
    pub(crate) fn valid(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// `null`.
    pub fn null() -> Self {
        Self::valid("null")
    }

    /// Keeps a string as a JSON string.
    pub fn string(text: &str) -> Self {
        Self::of(text)
    }

    /// Keeps a value as its JSON text.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Self {
        Self::valid(to_json(value))
    }

    /// The text.
    pub fn get(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

/// A value as JSON text; `null` where it has none.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

#[cfg(not(target_family = "wasm"))]
impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::Error;
        let raw: &serde_json::value::RawValue = serde_json::from_str(self.get()).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// In WebAssembly a raw value is written as bytes, and bytes are written as they are: `RawValue` would need
/// the parser of `serde_json`, 13 KB of the module when compressed. All JSON is written here.
#[cfg(target_family = "wasm")]
mod verbatim {
    use std::io::{Result, Write};

    use serde_json::ser::Formatter;

    pub(super) struct Verbatim;

    impl Formatter for Verbatim {
        fn write_byte_array<W: ?Sized + Write>(&mut self, writer: &mut W, json: &[u8]) -> Result<()> {
            writer.write_all(json)
        }
    }
}

#[cfg(target_family = "wasm")]
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> String {
    let mut json = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut json, verbatim::Verbatim);
    let is_written = value.serialize(&mut serializer).is_ok();
    String::from_utf8(json).ok().filter(|_| is_written).unwrap_or_else(|| "null".to_owned())
}

#[cfg(target_family = "wasm")]
impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0.as_bytes())
    }
}
