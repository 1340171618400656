//! Function calls, which are sent as a whole, or (Vertex AI) in pieces.

use super::candidate::CandidateReader;
use super::member;
use super::part::{Call, Part, PartFields, PartKind};
use crate::accumulator::{Builder, Place, is_placeholder};
use crate::error::quote;
use crate::json::{Document, Field, Fragment, Items, Object, ProgressState, RawJson, Value, fields};
use crate::model::WarningCode;
use crate::provider::call_entry::arguments_of;

/// Maximum number of calls with the same id that a possible repetition is compared with: the latest ones.
const MAX_SAME_IDS: usize = 16;

fields! {
    /// `functionCall`.
    pub(super) struct CallFields {
        name: String,
        id: String,
        own_args = "args",
        pieces = "partialArgs": Array,
        goes_on = "willContinue": Boolean,
        snake_pieces = "partial_args": Array,
        snake_goes_on = "will_continue": Boolean,
    }
}

impl<'a> CallFields<'a> {
    fn args(&self) -> Option<Value<'a>> {
        arguments_of(self.whole, "args")
    }

    fn argument_pieces(&self) -> Items<'a> {
        self.pieces().or(self.snake_pieces()).items()
    }

    fn is_in_pieces(&self) -> bool {
        self.argument_pieces().next().is_some()
    }

    /// Whether more of the call follows. If the call itself doesn't say so, its last piece may.
    fn will_continue(&self) -> bool {
        let piece = || member(self.argument_pieces().last()?, "willContinue", "will_continue");
        self.goes_on().or(self.snake_goes_on()).or_else(piece).and_then(Value::boolean) == Some(true)
    }

    /// Whether the call is empty, or only ends a call.
    fn is_blank(&self) -> bool {
        self.name().non_empty().is_none()
            && self.id().non_empty().is_none()
            && !self.is_in_pieces()
            && self.args().and_then(Value::compact).is_none_or(|args| matches!(&*args, "{}" | "\"\""))
    }

    /// Whether the call adds nothing to the one at this place, which has ended.
    pub(super) fn repeats_ended(&self, place: Place, out: &Builder) -> bool {
        !self.will_continue()
            && !self.is_in_pieces()
            && self.args().is_none_or(|args| is_same(out.arguments_at(place), args))
    }
}

impl CandidateReader {
    /// Whether this ends a call, but none is open. The rest of its part may have content.
    pub(super) fn is_unmatched_end(&self, call: &CallFields<'_>) -> bool {
        call.is_blank() && self.calls().all(|(_, _, known)| known.pieces.is_none())
    }

    /// Reads a call, which is sent as a whole, or as its name, then pieces of its arguments, then an empty call.
    pub(super) fn read_call(&mut self, part: &PartFields<'_>, call: &CallFields<'_>, out: &mut Builder) {
        let (id, name) = (call.id().non_empty(), call.name().non_empty());
        let known = self.known_call(call, out).or_else(|| self.repeated_with_signature(part, call, out));
        let known = known.or_else(|| self.call_without_arguments(call, out));
        let at = known.unwrap_or_else(|| {
            // The next call ends the previous one, unless the pieces of that one have its id: pieces of several calls
            // may be interleaved.
            self.end_pieces(false, |open| !open.pieces_have_id, out);
            self.end_last_call(out);
            let call = Call { id: None, pieces_have_id: false, pieces: None, members: Object::default() };
            self.calls.push(self.parts.len());
            self.add(PartKind::Call(call), None, Object::default());
            self.parts.len() - 1
        });
        let Some(known_part) = self.parts.get_mut(at) else { return };
        let place = known_part.place;
        let PartKind::Call(known) = &mut known_part.kind else { return };
        // Some servers repeat a call at the end.
        let is_repeat = out.has_call(place) && known.pieces.is_none() && call.repeats_ended(place, out);
        if let Some(signature) = part.signature()
            && !(is_repeat && known_part.signature.is_some())
            && known_part.signature.as_deref() != Some(signature)
        {
            out.push_call_signature(place, signature);
            known_part.signature.get_or_insert_default().push_str(signature);
        }
        if is_repeat {
            return;
        }
        // Some models write text in the part of the call.
        if let Some(text) = part.text().fragment() {
            if part.is_thought() {
                out.push_reasoning(place, &text);
            } else {
                out.push_text(place, &text);
            }
        }
        out.open_call(place, id, name);
        if name.is_some() {
            out.generate_call_id(place);
        }
        part.keep_unread(&mut known_part.members);
        if let Some(thought) = part.thought() {
            known_part.members.put("thought", thought);
        }
        call.keep_unread(&mut known.members);
        known.pieces_have_id = id.is_some();
        if known.id.is_none() {
            known.id = id.map(Into::into);
        }
        known.read_arguments(call, place, out);
        if call.will_continue() {
            known.pieces.get_or_insert_default();
        } else {
            known.end_pieces(place, false, out);
            // The arguments may still follow.
            if !is_placeholder(out.arguments_at(place)) {
                out.end_call(place);
            }
        }
    }

    /// Ends the call in the last part: another part follows.
    pub(super) fn end_last_call(&self, out: &mut Builder) {
        if let Some(Part { place, kind: PartKind::Call(Call { pieces: None, .. }), .. }) = self.parts.last() {
            out.end_call(*place);
        }
    }

    /// Returns the index of the last part if it is a call with a placeholder instead of arguments, which arrive here,
    /// with the same id or without a name: some gateways convert each chunk of another interface on its own.
    /// <https://github.com/labring/aiproxy>
    fn call_without_arguments(&self, call: &CallFields<'_>, out: &Builder) -> Option<usize> {
        let at = self.parts.len().checked_sub(1)?;
        let Part { place, kind: PartKind::Call(known), .. } = self.parts.get(at)? else { return None };
        let (id, name) = (call.id().non_empty(), call.name().non_empty());
        let is_same = match name {
            Some(_) => id.is_some() && id == known.id.as_deref() && name == out.call_name(*place),
            None => id.is_none() || id == known.id.as_deref(),
        };
        let has_arguments = call.args().is_some() || call.is_in_pieces();
        let is_waiting = known.pieces.is_none() && is_placeholder(out.arguments_at(*place));
        (is_same && has_arguments && is_waiting).then_some(at)
    }

    /// Returns the index of the part whose call this continues or repeats. Some servers send the id, the name or both
    /// with each piece.
    fn known_call(&self, call: &CallFields<'_>, out: &Builder) -> Option<usize> {
        let (id, name) = (call.id().non_empty(), call.name().non_empty());
        let is_named = |place| name.is_none() || name == out.call_name(place);
        let has_id = |known: &Call| id.is_some() && known.id.as_deref() == id;
        let mut same = self.calls().rev().filter(|(_, _, known)| has_id(known)).take(MAX_SAME_IDS);
        let same = same.find(|(_, place, known)| {
            is_named(*place) && (known.pieces.is_some() || name.is_none() || call.repeats_ended(*place, out))
        });
        // A name without pieces begins the next call of the same tool, or ends this call.
        let is_piece = call.args().is_none() && (call.is_in_pieces() || !call.will_continue());
        let may_go_on = name.is_none() || id.is_none() && is_piece;
        let mut open = self.calls().rev().filter(|(_, _, known)| may_go_on && known.pieces.is_some());
        Some(same.or_else(|| open.find(|(_, place, _)| is_named(*place)))?.0)
    }

    /// Returns the index of the part whose call, without an id, is repeated here with its signature: of several
    /// parallel calls, only the first is signed.
    /// <https://ai.google.dev/gemini-api/docs/thought-signatures>
    fn repeated_with_signature(
        &self,
        part: &PartFields<'_>,
        call: &CallFields<'_>,
        out: &Builder,
    ) -> Option<usize> {
        let signature = part.signature().filter(|_| call.id().non_empty().is_none())?;
        let (at, place, known) = self.calls().next_back()?;
        let known_signature = self.parts.get(at)?.signature.as_deref();
        let is_match = known.id.is_none()
            && known.pieces.is_none()
            && known_signature.is_none_or(|known| known == signature)
            && call.name().non_empty() == out.call_name(place)
            && (call.args().is_some() || out.arguments_at(place) == "{}")
            && call.repeats_ended(place, out);
        is_match.then_some(at)
    }

    /// Returns the calls, each with the index of its part.
    fn calls(&self) -> impl DoubleEndedIterator<Item = (usize, Place, &Call)> {
        self.calls.iter().filter_map(|at| match self.parts.get(*at)? {
            Part { place, kind: PartKind::Call(call), .. } => Some((*at, *place, call)),
            _ => None,
        })
    }

    /// Ends the selected calls whose arguments are sent in pieces, as the last piece may be missing. `is_cut`: the
    /// model was stopped in the middle of them.
    pub(super) fn end_pieces(&mut self, is_cut: bool, which: fn(&Call) -> bool, out: &mut Builder) {
        for at in &self.calls {
            if let Some(Part { place, kind: PartKind::Call(call), .. }) = self.parts.get_mut(*at)
                && which(call)
            {
                call.end_pieces(*place, is_cut, out);
            }
        }
    }
}

impl Call {
    fn read_arguments(&mut self, call: &CallFields<'_>, place: Place, out: &mut Builder) {
        if let Some(args) = call.args() {
            match args.fragment() {
                Some(text) => out.push_arguments(place, &text),
                None if args.is_object() && (call.will_continue() || self.pieces.is_some()) => {
                    let whole = args.compact().unwrap_or_default();
                    // Some servers repeat all arguments at the end.
                    let rest = whole.strip_prefix(out.arguments_at(place)).filter(|_| !call.will_continue());
                    if let Some(rest) = rest {
                        out.push_arguments(place, &Fragment::from(rest));
                        self.pieces = None;
                    } else {
                        self.pieces.get_or_insert_default().merge(args, place, out);
                    }
                }
                None => out.push_object_arguments(place, args.compact().unwrap_or_default()),
            }
        }
        for piece in call.argument_pieces() {
            if !self.pieces.get_or_insert_default().add(piece, place, out) {
                let piece = piece.compact().unwrap_or_default();
                let message =
                    ["Skipped a piece of arguments that isn't understood: ", &quote(&piece)].concat();
                out.warn(WarningCode::StrayFragment, message);
            }
        }
    }

    /// Ends arguments that are sent in pieces.
    fn end_pieces(&mut self, place: Place, is_cut: bool, out: &mut Builder) {
        let Some(mut pieces) = self.pieces.take() else { return };
        pieces.end(is_cut, place, out);
        if !is_cut {
            out.end_call(place);
        } else if out.arguments_state(place) == ProgressState::Empty {
            // A call with nothing but its name must not look like a call without arguments.
            out.push_arguments(place, &Fragment::from("{"));
        }
    }
}

/// Whether the arguments are equal. Their members may be in another order than the pieces were.
fn is_same(known: &str, args: Value<'_>) -> bool {
    let json = args.text_or_compact().unwrap_or_default();
    if json == known {
        return true;
    }
    let Some(tape) = Document::parse(known, usize::MAX).ok().filter(|_| json.len() == known.len()) else {
        return false;
    };
    let mut members = Object::default();
    for (name, value) in tape.root().others(&[]) {
        members.set(&name, RawJson::valid(value.compact().unwrap_or_default()));
    }
    let mut others = args.others(&[]);
    args.is_object()
        && others.all(|(name, value)| {
            members.get(&name).is_some_and(|known| value.compact().as_deref() == Some(known.get()))
        })
}
