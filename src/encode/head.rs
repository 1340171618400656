//! What names a response, and the ids in it.

use std::sync::atomic::{AtomicU64, Ordering};

use super::options::EncodeOptions;
use crate::accumulator::{Builder, ProviderFields};
use crate::hash::{FNV1A_64, fnv1a_64, spread};
use crate::json::Document;
use crate::save::state;

/// What names a response. It is the same in all of its events.
#[derive(Debug, Clone, Default)]
pub(super) struct Head {
    pub(super) id: String,
    pub(super) model: String,
    /// In seconds since 1970.
    pub(super) created: u64,
    /// What ids of its items are made of.
    stem: u64,
}

state! { struct Head { id, model, created, stem } }

impl Head {
    /// Of a response of which so much is known. An id that the provider doesn't send begins with `prefix`.
    pub(super) fn new(
        prefix: &str,
        answer: &Builder,
        fields: &ProviderFields,
        options: &EncodeOptions,
    ) -> Self {
        let told = || created_of(fields);
        let created = if HAS_CLOCK { options.created.or_else(told) } else { told().or(options.created) };
        let created = created.unwrap_or_else(now);
        let known = options.id.as_deref().or(answer.id());
        let stem = match known {
            Some(id) => hash(id.as_bytes()),
            None => hash(&options.nonce.unwrap_or_else(nonce).to_le_bytes()),
        };
        let id = known.map_or_else(|| [prefix, &hex(stem)].concat(), str::to_owned);
        let model = options.model.as_deref().or(answer.model()).unwrap_or("unknown").to_owned();
        Self { id, model, created, stem }
    }

    /// The id of an item in the response, which is different for each number.
    pub(super) fn item_id(&self, prefix: &str, number: u64) -> String {
        [prefix, &hex(self.stem), &format!("{number:04x}")].concat()
    }
}

/// What ids of calls are made of, if the provider sends neither them nor an id of the response. Clients expect ids that
/// are unique in a conversation.
pub(super) fn seed(options: &EncodeOptions) -> String {
    options.id.clone().unwrap_or_else(|| hex(options.nonce.unwrap_or_default()))
}

/// Without a clock, the options have the time in any case: it counts where the provider doesn't say when.
const HAS_CLOCK: bool = cfg!(not(target_family = "wasm"));

/// When the provider says that the response was created.
fn created_of(fields: &ProviderFields) -> Option<u64> {
    let raw = fields.extra.get("created").or_else(|| fields.extra.get("created_at"))?;
    let document = Document::parse(raw.get(), 1).ok()?;
    document.root().unsigned().filter(|seconds| *seconds > 0)
}

#[cfg(not(target_family = "wasm"))]
fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map(|since| since.as_secs()).unwrap_or_default()
}

/// The boundary always sets it.
#[cfg(target_family = "wasm")]
fn now() -> u64 {
    0
}

/// Something that is different each time.
pub(super) fn nonce() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    spread(now()) ^ count
}

fn hex(number: u64) -> String {
    format!("{number:016x}")
}

/// The FNV-1a hash.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(FNV1A_64, |hash, byte| fnv1a_64(hash, *byte))
}
