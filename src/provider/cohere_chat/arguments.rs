//! The arguments of a tool call, which come as pieces of JSON text.

use crate::accumulator::{Builder, Place};
use crate::json::{Fragment, Value};
use crate::save::state;

/// The arguments of a call that came so far, of which `null` says that there are none.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    /// Text that may become `null`.
    held: String,
    has_begun: bool,
}

state! { struct Arguments { held, has_begun } }

impl Arguments {
    /// Takes in the arguments, or a piece of their text.
    pub(super) fn read(&mut self, arguments: Value<'_>, place: Place, out: &mut Builder) {
        match arguments.fragment() {
            Some(piece) => self.push(&piece, place, out),
            None => out.push_object_arguments(place, arguments.compact().unwrap_or_default()),
        }
    }

    /// Takes in a piece of their text.
    fn push(&mut self, piece: &Fragment<'_>, place: Place, out: &mut Builder) {
        if self.has_begun {
            return out.push_arguments(place, piece);
        }
        if piece.text.trim_ascii_start().starts_with('{') && self.held.trim_ascii() == "null" {
            self.held.clear(); // it stood for arguments that were still to come
        }
        let is_cut = piece.lead.is_some() || piece.trail.is_some();
        if !is_cut {
            self.held.push_str(&piece.text);
        }
        if is_cut || !"null".starts_with(self.held.trim_ascii()) {
            self.has_begun = true;
            let held = std::mem::take(&mut self.held);
            out.push_arguments(place, &Fragment::from(held.as_str()));
            if is_cut {
                out.push_arguments(place, piece);
            }
        }
    }

    /// Whether another piece of text would just be added.
    pub(super) fn is_growing(&self) -> bool {
        self.has_begun
    }

    /// Nothing more comes, and the call is over, if it has arguments.
    pub(super) fn end(&mut self, place: Place, out: &mut Builder) {
        let held = std::mem::take(&mut self.held);
        if held.trim_ascii() != "null" {
            out.push_arguments(place, &Fragment::from(held.as_str()));
        }
        out.stop_call(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accumulator::Recording;
    use crate::model::Limits;

    fn read(pieces: &[&str]) -> (String, usize) {
        let mut out = Builder::new(Limits::default(), Recording::EachEvent);
        let place = Place::first_choice(0, 0);
        out.open_call(place, Some("c"), Some("f"));
        let mut arguments = Arguments::default();
        for piece in pieces {
            arguments.push(&Fragment::from(*piece), place, &mut out);
        }
        arguments.end(place, &mut out);
        out.end_call(place);
        (out.arguments_at(place).to_owned(), out.take_deltas().len())
    }

    #[test]
    fn null_is_none_however_it_is_cut() {
        for pieces in [&["null"][..], &["nu", "ll"], &["", " n", "ull\n"], &[]] {
            assert_eq!(read(pieces), ("{}".to_owned(), 2), "{pieces:?}");
        }
    }

    #[test]
    fn what_only_begins_like_null_is_kept() {
        assert_eq!(read(&["nu"]).0, "nu");
        assert_eq!(read(&["nul", "lable"]).0, "nullable");
        assert_eq!(read(&[" ", "{\"a\"", ":1}"]).0, " {\"a\":1}");
    }
}
