//! The id, model and creation time of a response, and the ids of its items.

use std::sync::atomic::{AtomicU64, Ordering};

use super::options::EncodeOptions;
use crate::accumulator::{Builder, ProviderFields};
use crate::hash::{FNV1A_64, fnv1a_64, spread};
use crate::json::Document;
use crate::save::state;

/// Id, model and creation time of a response, which are the same in all of its events.
#[derive(Debug, Clone, Default)]
pub(super) struct Head {
    pub(super) id: String,
    pub(super) model: String,
    /// Creation time, in seconds since 1970.
    pub(super) created: u64,
    /// Hash from which the ids of the items are made.
    stem: u64,
}

state! { struct Head { id, model, created, stem } }

impl Head {
    /// Creates the head from what is known so far. If the provider doesn't send an id, a generated one begins with
    /// `prefix`.
    pub(super) fn new(
        prefix: &str,
        answer: &Builder,
        fields: &ProviderFields,
        options: &EncodeOptions,
    ) -> Self {
        let reported = || reported_creation(fields);
        let created =
            if HAS_CLOCK { options.created.or_else(reported) } else { reported().or(options.created) };
        let created = created.unwrap_or_else(now);
        let known = options.id.as_deref().or(answer.id());
        let stem = match known {
            Some(id) => hash(id.as_bytes()),
            None => hash(&options.nonce.unwrap_or_else(nonce).to_le_bytes()),
        };
        let id = known.map_or_else(|| [prefix, &hex(stem, 16)].concat(), str::to_owned);
        let model = options.model.as_deref().or(answer.model()).unwrap_or("unknown").to_owned();
        Self { id, model, created, stem }
    }

    /// Returns the id of an item in the response, which is different for each number.
    pub(super) fn item_id(&self, prefix: &str, number: u64) -> String {
        [prefix, &hex(self.stem, 16), &hex(number, 4)].concat()
    }
}

/// Returns the seed for the ids of calls, used if the provider sends neither them nor an id of the response. Clients
/// expect ids that are unique in a conversation.
pub(super) fn seed(options: &EncodeOptions) -> String {
    options.id.clone().unwrap_or_else(|| hex(options.nonce.unwrap_or_default(), 16))
}

/// Whether there is a clock. Without one, `created` is always set in the options, and counts only if the provider
/// doesn't report a time.
const HAS_CLOCK: bool = cfg!(not(target_family = "wasm"));

/// Returns the creation time that the provider reports.
fn reported_creation(fields: &ProviderFields) -> Option<u64> {
    let raw = fields.extra.get("created").or_else(|| fields.extra.get("created_at"))?;
    let document = Document::parse(raw.get(), 1).ok()?;
    document.root().unsigned().filter(|seconds| *seconds > 0)
}

#[cfg(not(target_family = "wasm"))]
fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map(|since| since.as_secs()).unwrap_or_default()
}

/// Never needed: the boundary always sets `created`.
#[cfg(target_family = "wasm")]
fn now() -> u64 {
    0
}

/// Returns a different number each time.
pub(super) fn nonce() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    spread(now()) ^ count
}

/// Returns a number in hexadecimal, with at least this number of digits.
pub(super) fn hex(number: u64, width: u32) -> String {
    let mut out = String::new();
    for at in (0..u64::BITS / 4).rev() {
        let rest = number >> (4 * at);
        if at < width || rest > 0 {
            out.push(char::from_digit((rest & 0xf) as u32, 16).unwrap_or('0'));
        }
    }
    out
}

/// The FNV-1a hash.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(FNV1A_64, |hash, byte| fnv1a_64(hash, *byte))
}
