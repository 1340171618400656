//! A response in the interface that it came from.

use super::options::{EncodeOptions, WireApi};
use super::whole::Encoded;
use crate::json::Value;

/// The body of a response that came from the same interface.
pub(super) fn encode(_response: Value<'_>, _api: WireApi, _options: &EncodeOptions) -> Option<Encoded> {
    None
}
