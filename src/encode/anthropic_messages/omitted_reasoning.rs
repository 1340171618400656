//! Reasoning that is left out because of an option.

use super::block::is_own;
use crate::accumulator::Place;
use crate::encode::formats::signature_format;
use crate::encode::options::Retention;
use crate::encode::writer::{Context, Output};
use crate::model::WarningCode;

/// Returns whether a reasoning part is left out, and reports it.
pub(super) fn is_omitted(place: Place, context: &Context<'_>, out: &mut Output) -> bool {
    if context.options.reasoning == Retention::Drop {
        out.lost.add_reasoning();
        return true;
    }
    let format = context.answer.reasoning_view(place).format.or(signature_format(context.source));
    let is_left_out = requires_signature(context) && !is_own(format);
    if is_left_out {
        report_unsigned(out);
    }
    is_left_out
}

/// Whether only reasoning with Anthropic's signature is written.
pub(super) fn requires_signature(context: &Context<'_>) -> bool {
    context.options.unsigned_thinking == Retention::Drop
}

pub(super) fn report_unsigned(out: &mut Output) {
    let message = "Reasoning without a signature of Anthropic's was left out, as `unsignedThinking` asks for";
    out.lost.add(WarningCode::LostReasoning, message);
}
