//! The arguments of a tool call, which are sent as pieces of JSON text.

use crate::accumulator::{Builder, Place};
use crate::json::{Fragment, Value};
use crate::save::state;

/// State of a call's arguments. The text `null` means that there are none.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    /// Text that may still become `null`.
    held_back: String,
    has_begun: bool,
}

state! { struct Arguments { held_back, has_begun } }

impl Arguments {
    /// Adds the arguments, or a piece of their text.
    pub(super) fn read(&mut self, arguments: Value<'_>, place: Place, out: &mut Builder) {
        match arguments.fragment() {
            Some(piece) => self.push(&piece, place, out),
            None => out.push_object_arguments(place, arguments.compact().unwrap_or_default()),
        }
    }

    /// Adds a piece of the text.
    fn push(&mut self, piece: &Fragment<'_>, place: Place, out: &mut Builder) {
        if self.has_begun {
            return out.push_arguments(place, piece);
        }
        if piece.text.trim_ascii_start().starts_with('{') && self.held_back.trim_ascii() == "null" {
            self.held_back.clear(); // it was a placeholder for arguments that follow
        }
        let is_cut = piece.lead.is_some() || piece.trail.is_some();
        if !is_cut {
            self.held_back.push_str(&piece.text);
        }
        if is_cut || !"null".starts_with(self.held_back.trim_ascii()) {
            self.has_begun = true;
            let held = std::mem::take(&mut self.held_back);
            out.push_arguments(place, &Fragment::from(held.as_str()));
            if is_cut {
                out.push_arguments(place, piece);
            }
        }
    }

    /// Whether another piece of text would only be appended.
    pub(super) fn is_append_only(&self) -> bool {
        self.has_begun
    }

    /// Ends the arguments, and the call if it has any.
    pub(super) fn end(&mut self, place: Place, out: &mut Builder) {
        let held = std::mem::take(&mut self.held_back);
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
    fn null_means_no_arguments_wherever_it_is_split() {
        for pieces in [&["null"][..], &["nu", "ll"], &["", " n", "ull\n"], &[]] {
            assert_eq!(read(pieces), ("{}".to_owned(), 2), "{pieces:?}");
        }
    }

    #[test]
    fn a_prefix_of_null_is_kept() {
        assert_eq!(read(&["nu"]).0, "nu");
        assert_eq!(read(&["nul", "lable"]).0, "nullable");
        assert_eq!(read(&[" ", "{\"a\"", ":1}"]).0, " {\"a\":1}");
    }
}
