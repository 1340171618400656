//! A complete body after the end of a response, as in logs.

use super::{Event, Provider};
use crate::accumulator::{Builder, Recording};

/// Whether this body contains another response, read by a new reader. The first response is kept; a difference is a
/// warning.
pub(super) fn is_second_body(reader: &mut dyn Provider, event: &Event<'_>, out: &mut Builder) -> bool {
    let mut second = Builder::new(*out.limits(), Recording::Off);
    if let Some(options) = out.search_options() {
        second.search_text(options);
    }
    reader.read(event, &mut second);
    out.compare_repeated_answer(&second)
}
