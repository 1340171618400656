//! Provider-specific fields, to be searched for content that can't be written.

use super::losses::may_have_provider_members;
use crate::accumulator::ProviderFields;
use crate::json::to_json;
use crate::model::ApiSpecific;

/// Returns the provider-specific fields as JSON, without copies of content that other interfaces have too.
pub(super) fn provider_fields_json(fields: &mut ProviderFields) -> Option<String> {
    let specific = fields.api_specific.as_mut()?;
    match specific {
        ApiSpecific::OpenaiResponses { output_items: list, .. }
        | ApiSpecific::AnthropicMessages { content_blocks: list, .. } => {
            list.retain(may_have_provider_members);
        }
        ApiSpecific::BedrockConverse { content_blocks: list, .. }
        | ApiSpecific::CohereChat { content_blocks: list, .. }
        | ApiSpecific::Gemini { parts: list, .. }
        | ApiSpecific::GeminiInteractions { steps: list, .. } => list.clear(),
        _ => {}
    }
    Some(to_json(specific))
}
