//! Tool calls.

use super::stream::ChatWriter;
use crate::accumulator::Place;
use crate::encode::json::{NO_ARGUMENTS, Nested, object};
use crate::encode::losses::report_late_arguments;
use crate::encode::repeats::Pieces;
use crate::encode::signature_tracking::google;
use crate::encode::writer::{Context, Output};
use crate::json::{ObjectWriter, ProgressState};
use crate::model::WarningCode;
use crate::save::state;

/// State of a call that was begun.
pub(super) struct CallWriter {
    number: u64,
    pub(super) end: usize,
    is_over: bool,
    is_signed: bool,
}

state! { struct CallWriter { number, end, is_over, is_signed } }

impl ChatWriter {
    /// Returns a call that began, with its index in its choice.
    pub(super) fn call(&mut self, place: Place, out: &mut Output) -> Option<(u64, &mut CallWriter)> {
        let at = self.choice(place.choice, out);
        let call = self.choices.get_mut(at)?.calls.get_mut(&place)?;
        Some((call.number, call))
    }

    pub(super) fn start_call(&mut self, place: Place, context: &Context<'_>, out: &mut Output) {
        let at = self.choice(place.choice, out);
        let Some(choice) = self.choices.get_mut(at) else { return };
        if choice.calls.get(&place).is_some() {
            return;
        }
        let number = choice.calls.len() as u64;
        // OpenAI's own client rejects calls in a stream that aren't of functions.
        if context.is_custom(place) {
            let message =
                "The call of a custom tool was written as a function call, with its text as a JSON string";
            out.lost.add(WarningCode::LostContent, message);
        }
        let (answer, signature) = (context.answer, context.answer.call_signature_before_end(place));
        let call = CallWriter { number, end: 0, is_over: false, is_signed: signature.is_some() };
        choice.calls.insert(place, call);
        let id = answer.call_id(place).unwrap_or_default();
        let name = answer.call_name(place).unwrap_or_default();
        self.write_call(place, number, Some((id, name)), Some(""), signature, out);
    }

    pub(super) fn write_arguments(
        &mut self,
        place: Place,
        end: usize,
        context: &Context<'_>,
        out: &mut Output,
    ) {
        let Some((number, call)) = self.call(place, out) else { return };
        if call.is_over {
            return report_late_arguments(place, end, context, out);
        }
        let from = call.end;
        call.end = end.max(from);
        let arguments = context.answer.arguments_at(place).get(..end).unwrap_or_default();
        for piece in Pieces::new(arguments, from) {
            self.write_piece(place, number, piece, out);
        }
    }

    /// Writes a piece of a call's arguments.
    fn write_piece(&self, place: Place, number: u64, arguments: &str, out: &mut Output) {
        if arguments.is_empty() {
            return;
        }
        self.write_call(place, number, None, Some(arguments), None, out);
    }

    /// Writes a chunk for a call. `begun` has the id and the name of one that begins.
    fn write_call(
        &self,
        place: Place,
        number: u64,
        begun: Option<(&str, &str)>,
        arguments: Option<&str>,
        signature: Option<&str>,
        out: &mut Output,
    ) {
        let call = Nested(|out| {
            out.push('[');
            let mut object = ObjectWriter::new(out);
            object.member("index", &number);
            if let Some((id, _)) = begun {
                object.member("id", &id).member("type", &"function");
            }
            let function = arguments.map(|arguments| {
                Nested(move |out| {
                    let mut function = ObjectWriter::new(out);
                    function.optional("name", begun.map(|(_, name)| name).as_ref());
                    function.member("arguments", &arguments).end();
                })
            });
            object.optional("function", function.as_ref());
            object.optional("extra_content", signature.map(google).as_ref()).end();
            out.push(']');
        });
        self.chunks.delta(place.choice, &Nested(|out| object!(out, "tool_calls": &call)), out);
    }

    pub(super) fn end_call(&mut self, place: Place, end: usize, context: &Context<'_>, out: &mut Output) {
        let Some((number, call)) = self.call(place, out) else { return };
        if call.is_over {
            return;
        }
        let is_unsigned = !call.is_signed;
        let is_cut = context.answer.is_call_truncated(place);
        if is_cut && context.answer.arguments_state(place) != ProgressState::Partial {
            let message = "A call that was cut off was written like a complete one";
            out.lost.add(WarningCode::LostContent, message);
        }
        if end == 0 {
            let piece = if is_cut { "" } else { NO_ARGUMENTS };
            self.write_piece(place, number, piece, out);
        } else {
            self.write_arguments(place, end, context, out);
        }
        if let Some((_, call)) = self.call(place, out) {
            call.is_over = true;
        }
        if let Some(signature) = context.answer.call_signature_before_end(place).filter(|_| is_unsigned) {
            self.write_call(place, number, None, None, Some(signature), out);
        }
    }
}
