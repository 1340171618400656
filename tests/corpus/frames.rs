//! Messages of AWS event streams, from descriptions that people can read.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

/// A message: an event, an exception or an error; see `tests/fixtures/quirks/README.md`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct Described {
    event: Option<String>,
    exception: Option<String>,
    error: Option<String>,
    message: Option<String>,
    payload: Option<Box<RawValue>>,
    /// A payload that isn't JSON.
    text: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, Header>,
    damage: Option<Damage>,
    /// Number of bytes that are sent; all if missing.
    bytes: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Header {
    Boolean(bool),
    Byte(i8),
    Short(i16),
    Integer(i32),
    Long(i64),
    Bytes(String),
    String(String),
    Timestamp(i64),
    Uuid(String),
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Damage {
    /// A wrong checksum of the lengths.
    Prelude,
    /// Headers longer than the message.
    Lengths,
    /// A header of an unknown type.
    Headers,
    /// A wrong checksum of the message.
    Checksum,
}

impl Header {
    fn write(&self, out: &mut Vec<u8>) {
        let sized = |out: &mut Vec<u8>, kind: u8, text: &str| {
            out.push(kind);
            out.extend(u16::try_from(text.len()).unwrap().to_be_bytes());
            out.extend(text.as_bytes());
        };
        match self {
            Self::Boolean(value) => out.push(u8::from(!value)),
            Self::Byte(value) => out.extend([2, value.to_be_bytes()[0]]),
            Self::Short(value) => out.extend([&[3][..], &value.to_be_bytes()].concat()),
            Self::Integer(value) => out.extend([&[4][..], &value.to_be_bytes()].concat()),
            Self::Long(value) => out.extend([&[5][..], &value.to_be_bytes()].concat()),
            Self::Bytes(text) => sized(out, 6, text),
            Self::String(text) => sized(out, 7, text),
            Self::Timestamp(value) => out.extend([&[8][..], &value.to_be_bytes()].concat()),
            Self::Uuid(text) => {
                let digits = text.replace('-', "");
                out.extend([&[9][..], &u128::from_str_radix(&digits, 16).unwrap().to_be_bytes()].concat());
            }
        }
    }
}

impl Described {
    /// Returns the bytes of the message.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut headers = Vec::new();
        let mut add = |name: &str, value: &Header| {
            headers.push(u8::try_from(name.len()).unwrap());
            headers.extend(name.as_bytes());
            value.write(&mut headers);
        };
        let text = |text: &String| Header::String(text.clone());
        for (name, kind, value) in [
            (":event-type", "event", &self.event),
            (":exception-type", "exception", &self.exception),
            (":error-code", "error", &self.error),
        ] {
            if let Some(value) = value {
                add(name, &text(value));
                add(":message-type", &text(&kind.to_owned()));
            }
        }
        if let Some(message) = &self.message {
            add(":error-message", &text(message));
        }
        self.headers.iter().for_each(|(name, value)| add(name, value));
        if self.damage == Some(Damage::Headers) {
            headers.extend(b"\x01?\xff");
        }
        let payload =
            self.payload.as_ref().map(|payload| compact(payload.get())).or_else(|| self.text.clone());
        let payload = payload.unwrap_or_default();
        let mut bytes = assembled(&headers, payload.as_bytes(), self.damage == Some(Damage::Lengths));
        let flipped = match self.damage {
            Some(Damage::Prelude) => Some(8),
            Some(Damage::Checksum) => Some(bytes.len() - 1),
            _ => None,
        };
        if let Some(at) = flipped {
            bytes[at] ^= 1;
        }
        bytes.truncate(self.bytes.unwrap_or(usize::MAX));
        bytes
    }
}

fn compact(json: &str) -> String {
    respool::json::Document::parse(json, 64).unwrap().root().compact().unwrap()
}

fn assembled(headers: &[u8], payload: &[u8], has_wrong_lengths: bool) -> Vec<u8> {
    let total = u32::try_from(16 + headers.len() + payload.len()).unwrap();
    let length = if has_wrong_lengths { total } else { u32::try_from(headers.len()).unwrap() };
    let mut bytes = [total.to_be_bytes(), length.to_be_bytes()].concat();
    bytes.extend(crc32(&bytes).to_be_bytes());
    bytes.extend([headers, payload].concat());
    bytes.extend(crc32(&bytes).to_be_bytes());
    bytes
}

/// Computes the checksum bit by bit, unlike the crate, so that the two can't share a mistake.
fn crc32(bytes: &[u8]) -> u32 {
    let shift = |rest: u32| (rest >> 1) ^ (0xedb8_8320 * (rest & 1));
    !bytes.iter().fold(u32::MAX, |rest, byte| (0..8).fold(rest ^ u32::from(*byte), |rest, _| shift(rest)))
}

/// Splits an event in the form of AWS's SDKs, `{name: {…}}`, into name and object. Returns `None` for other forms.
fn unwrapped(event: &str) -> Option<(String, Box<RawValue>)> {
    let mut members: BTreeMap<String, Box<RawValue>> = serde_json::from_str(event).ok()?;
    members.pop_first().filter(|(_, told)| members.is_empty() && told.get().starts_with('{'))
}

/// Encodes events of that form as a server's binary messages. Returns `None` if one of them has another form.
pub(crate) fn messages(events: &[String]) -> Option<Vec<u8>> {
    let message = |event: &String| {
        let (name, payload) = unwrapped(event)?;
        let is_exception = name.ends_with("Exception");
        let (event, exception) = if is_exception { (None, Some(name)) } else { (Some(name), None) };
        Some(
            Described { event, exception, text: Some(payload.get().to_owned()), ..Described::default() }
                .bytes(),
        )
    };
    Some(events.iter().map(message).collect::<Option<Vec<_>>>()?.concat())
}

/// Encodes events of that form as named server-sent events, as some proxies do.
pub(crate) fn unwrapped_sse(events: &[String]) -> Option<String> {
    let record = |event: &String| {
        let (name, payload) = unwrapped(event)?;
        Some(format!("event: {name}\ndata: {}\n\n", payload.get()))
    };
    Some(events.iter().map(record).collect::<Option<Vec<_>>>()?.concat())
}
