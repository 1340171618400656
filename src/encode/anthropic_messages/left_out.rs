//! Reasoning that is left out because of an option.

use super::block::is_own;
use crate::accumulator::Place;
use crate::encode::formats::format_of;
use crate::encode::options::Retention;
use crate::encode::writer::{Context, Output};
use crate::model::WarningCode;

/// Returns whether a reasoning part is left out, and reports it.
pub(super) fn is_left_out(place: Place, context: &Context<'_>, out: &mut Output) -> bool {
    if context.options.reasoning == Retention::Drop {
        out.lost.add_reasoning();
        return true;
    }
    let format = context.answer.reasoning_view(place).format.or(format_of(context.source));
    let is_left_out = must_be_signed(context) && !is_own(format);
    if is_left_out {
        lose_unsigned(out);
    }
    is_left_out
}

/// Whether only reasoning with Anthropic's signature is written.
pub(super) fn must_be_signed(context: &Context<'_>) -> bool {
    context.options.unsigned_thinking == Retention::Drop
}

pub(super) fn lose_unsigned(out: &mut Output) {
    let message = "Reasoning without a signature of Anthropic's was left out, as `unsignedThinking` asks for";
    out.lost.add(WarningCode::LostReasoning, message);
}
