//! Calls, which come whole, or (Vertex AI) in pieces.

use super::candidate::CandidateReader;
use super::part::{Call, Part, PartFields, PartKind};
use crate::accumulator::Builder;
use crate::error::quote;
use crate::json::{Field, Fragment, Object, ProgressState, RawJson, Value, fields};
use crate::model::WarningCode;

fields! {
    /// `functionCall`.
    pub(super) struct CallFields {
        name,
        id,
        args,
        pieces = "partialArgs",
        goes_on = "willContinue",
        snake_pieces = "partial_args",
        snake_goes_on = "will_continue",
    }
}

impl CallFields<'_> {
    /// Whether it says nothing, or only ends a call.
    fn is_blank(&self) -> bool {
        self.name().filled().is_none()
            && self.id().filled().is_none()
            && self.pieces().or(self.snake_pieces()).items().next().is_none()
            && self.args().and_then(Value::compact).is_none_or(|args| matches!(&*args, "{}" | "\"\""))
    }
}

impl CandidateReader {
    /// Whether this is the end of a call where none is open. Its part may say something else.
    pub(super) fn is_stray_end(&mut self, call: &CallFields<'_>) -> bool {
        self.growing().is_none() && call.is_blank()
    }

    /// A call, which comes whole, or as its name, then pieces of its arguments, then nothing.
    pub(super) fn read_call(&mut self, part: &PartFields<'_>, call: &CallFields<'_>, out: &mut Builder) {
        let (id, name) = (call.id().filled(), call.name().filled());
        let pieces = call.pieces().or(call.snake_pieces());
        let goes_on = call.goes_on().or(call.snake_goes_on()).and_then(Value::boolean) == Some(true);
        let is_more = name.is_none() && self.growing().is_some();
        if !is_more {
            self.end_pieces(false, out);
            if let Some(id) = id.as_deref() {
                if self.call_ids.get(id).is_some() {
                    return; // some servers send a call again at the end
                }
                self.call_ids.set(id, RawJson::null());
            }
        }
        let place = if let Some(part) = self.growing().filter(|_| is_more) {
            part.place
        } else {
            let call = Call { pieces: None, members: Object::default() };
            self.add(PartKind::Call(call), None, Object::default())
        };
        // Some models say something in the part of the call.
        if let Some(text) = part.text().fragment() {
            if part.is_thought() {
                out.push_reasoning(place, &text);
            } else {
                out.push_text(place, &text);
            }
        }
        if !is_more {
            out.open_call(place, id.as_deref(), name.as_deref());
        }
        let Some(known) = self.parts.last_mut().filter(|part| part.place == place) else { return };
        if let Some(signature) = part.signature() {
            out.push_call_signature(place, &signature);
            known.signature.get_or_insert_default().push_str(&signature);
        }
        part.keep_unread(false, &mut known.members);
        if let Some(thought) = part.thought() {
            known.members.put("thought", thought);
        }
        let PartKind::Call(known) = &mut known.kind else { return };
        call.keep_unread(false, &mut known.members);
        if let Some(id) = id {
            known.members.set("id", RawJson::string(&id));
        }
        if let Some(args) = call.args() {
            match args.fragment() {
                Some(text) => out.push_arguments(place, &text),
                None if args.is_object() && (goes_on || known.pieces.is_some()) => {
                    known.pieces.get_or_insert_default().merge(args);
                }
                None => out.push_object_arguments(place, args.compact().unwrap_or_default()),
            }
        }
        for piece in pieces.items() {
            if !known.pieces.get_or_insert_default().add(piece) {
                let piece = piece.compact().unwrap_or_default();
                let message =
                    ["Skipped a piece of arguments whose path isn't understood: ", &quote(&piece)].concat();
                out.warn(WarningCode::StrayFragment, message);
            }
        }
        if goes_on {
            known.pieces.get_or_insert_default();
        } else {
            self.end_pieces(false, out);
            out.end_call(place);
        }
    }

    /// The call whose arguments are coming in pieces.
    fn growing(&mut self) -> Option<&mut Part> {
        self.parts
            .last_mut()
            .filter(|part| matches!(&part.kind, PartKind::Call(Call { pieces: Some(_), .. })))
    }

    /// Emits the arguments that came in pieces: the last piece may be missing. `is_cut`: the model was stopped in the
    /// middle of them.
    pub(super) fn end_pieces(&mut self, is_cut: bool, out: &mut Builder) {
        let Some(part) = self.growing() else { return };
        let place = part.place;
        let PartKind::Call(call) = &mut part.kind else { return };
        let Some(pieces) = call.pieces.take() else { return };
        match pieces.to_json(is_cut) {
            Some(json) if is_cut => out.push_arguments(place, &Fragment::from(&*json)),
            Some(json) => out.push_object_arguments(place, json),
            // A call that has nothing but a beginning must not look like one without arguments.
            None if is_cut && out.arguments_state(place) == ProgressState::Empty => {
                out.push_arguments(place, &Fragment::from("{"));
            }
            None => {}
        }
    }
}
