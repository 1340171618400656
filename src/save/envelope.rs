//! The envelope of a saved state: its kind, version and checksum. See docs/resume.md.

use super::pack::{pack, unpack};
use super::{Coder, State};
use crate::crc32::crc32;
use crate::error::{Error, ErrorCode, Result};

const MAGIC: &[u8; 4] = b"rspl";

/// Version of the format; raise it when the saved data changes. States of other versions are rejected.
const VERSION: u8 = 1;

/// The type whose state is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Accumulator = 1,
    Encoder = 2,
}

impl Kind {
    /// Returns the name of the type for messages.
    fn name(self) -> &'static str {
        match self {
            Self::Accumulator => "StreamAccumulator",
            Self::Encoder => "StreamEncoder",
        }
    }

    fn of_number(number: u8) -> Option<Self> {
        [Self::Accumulator, Self::Encoder].into_iter().find(|kind| *kind as u8 == number)
    }
}

/// Saves a state in an envelope, unless it contains a codec that can't be saved.
pub(crate) fn seal(kind: Kind, state: &mut dyn State) -> Result<Vec<u8>> {
    let mut coder = Coder::saving();
    state.code(&mut coder);
    if let Some(name) = coder.missing() {
        let message = format!(
            "The codec `{name}` can't be saved: its stream reader has no `save`. Add one, or read the stream again from its beginning."
        );
        return Err(Error::new(ErrorCode::CodecError, message));
    }
    let mut sealed = MAGIC.to_vec();
    sealed.extend([VERSION, kind as u8]);
    pack(&coder.into_bytes(), &mut sealed);
    sealed.extend(crc32(&sealed).to_le_bytes());
    Ok(sealed)
}

/// Loads a state that was saved with [`seal`] into a blank one.
pub(crate) fn open(kind: Kind, sealed: &[u8], state: &mut dyn State) -> Result<()> {
    let refuse = |what: &str| {
        Err(Error::new(ErrorCode::InvalidState, format!("Can't restore a {}: {what}", kind.name())))
    };
    let Some(rest) = sealed.strip_prefix(MAGIC) else {
        return refuse("these bytes aren't a saved state");
    };
    let Some((head, checksum)) = sealed.split_last_chunk::<4>().filter(|_| rest.len() > 6) else {
        return refuse("the saved state is cut off");
    };
    let [version, of, packed @ ..] = head.get(MAGIC.len()..).unwrap_or_default() else {
        return refuse("the saved state is cut off");
    };
    let is_whole = crc32(head) == u32::from_le_bytes(*checksum);
    if *version != VERSION {
        return refuse(&format!(
            "the state has version {version}, and this release reads version {VERSION}; or it is damaged"
        ));
    }
    if !is_whole {
        return refuse("the saved state is damaged or cut off");
    }
    if *of != kind as u8 {
        let name =
            Kind::of_number(*of).map_or("something else".to_owned(), |kind| ["a ", kind.name()].concat());
        return refuse(&format!("the state is of {name}"));
    }
    let Some(body) = unpack(packed) else { return refuse("the saved state is damaged") };
    let mut coder = Coder::loading(&body);
    state.code(&mut coder);
    match coder.missing() {
        _ if coder.is_complete() => Ok(()),
        Some(name) => {
            let message = format!(
                "Can't restore a {}: the codec `{name}` isn't registered, or doesn't accept what it saved",
                kind.name()
            );
            Err(Error::new(ErrorCode::CodecError, message))
        }
        None => {
            refuse("the state was saved by another release or by an entry that reads more, or is damaged")
        }
    }
}
