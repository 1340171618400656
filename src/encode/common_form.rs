//! Reads responses in the common form, which `decode` and the accumulator return.

use super::common_calls::{CommonCall, read_calls};
use super::formats::{ANTHROPIC, OPENAI};
use crate::accumulator::{Builder, Cut, Finish, Place, ProviderFields, Recording, Slot};
use crate::collect::Collect;
use crate::json::{Fragment, RawJson, Value};
use crate::model::{Api, ContentPart, FinishReason, Limits, Usage};
use crate::provider::{EXTRA_CONTENT, PROVIDERS, format_of_thought};

/// A response that was read.
pub(super) struct ReadResponse {
    pub(super) answer: Builder,
    /// The interface that the response came from.
    pub(super) source: Option<Api>,
    pub(super) fields: ProviderFields,
}

/// Reads a response. `result` is the stream result with the calls of its first choice, if there is one. `origin` is the
/// answer that the response was made from, which knows the positions of the calls among the parts; without it, the
/// calls follow all parts.
pub(super) fn read(response: Value<'_>, result: Option<Value<'_>>, origin: Option<&Builder>) -> ReadResponse {
    let limits = Limits { max_tool_calls: usize::MAX, max_choices: usize::MAX, ..Limits::default() };
    let mut answer = Builder::new(limits, Recording::Off);
    answer.keep_journal(false);
    answer.set_id(&response.get_text("id").unwrap_or_default());
    answer.set_model(&response.get_text("model").unwrap_or_default());
    let mut fields = ProviderFields::default();
    if let Some(extra) = response.get("extra") {
        fields.extra.put_all(extra);
    }
    let name = response.get_text("api");
    let entry = PROVIDERS.iter().find(|entry| name.as_deref() == Some(entry.api.as_str()));
    let formats = Formats::of(response.get("apiSpecific"));
    let parts_before = |choice| origin.map(|origin| origin.parts_before_calls(choice)).unwrap_or_default();
    let mut choices = response.get_items("choices").peekable();
    if choices.peek().is_none() {
        let first = origin.and_then(|origin| origin.choice_indices().next()).unwrap_or_default();
        read_choice(
            0,
            response,
            &read_calls(response, result),
            &parts_before(first),
            origin,
            &formats,
            &mut answer,
        );
    }
    for (at, choice) in (0..).zip(choices) {
        let index = choice.get_unsigned("index").unwrap_or(at);
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let calls = read_calls(choice, result.filter(|_| at == 0));
        read_choice(index, choice, &calls, &parts_before(index), None, &formats, &mut answer);
    }
    if let Some(usage) = response.get("usage").filter(|usage| usage.is_object()) {
        answer.set_usage(Usage::from_field_names(usage));
    }
    ReadResponse { answer, source: entry.map(|entry| entry.api), fields }
}

/// Reads a choice. `parts_before` has, for each call, the number of parts before it; calls without an entry follow all
/// parts. `origin` is the answer whose only choice this is.
fn read_choice(
    choice: u32,
    from: Value<'_>,
    calls: &[CommonCall<'_>],
    parts_before: &[usize],
    origin: Option<&Builder>,
    formats: &Formats,
    out: &mut Builder,
) {
    let mut slot = 0;
    let mut next = || {
        slot += 1;
        Place { choice, slot: Slot(slot, 0) }
    };
    let (mut parts, mut read) = (0, 0);
    // Reads the calls that precede the next part, and returns the place of the part.
    let mut next_part = |out: &mut Builder| {
        while parts_before.get(read).is_some_and(|before| *before <= parts)
            && let Some(call) = calls.get(read)
        {
            read_call(next(), call, out);
            read += 1;
        }
        parts += 1;
        next()
    };
    let mut has_refusal = false;
    if let Some(message) = from.get("message") {
        if let Some(text) = message.fragment() {
            if let Some(origin) = origin {
                // A message that has only texts joins them into one string; the origin has them apart.
                for (kind, part) in origin.parts_of(choice) {
                    let text = origin.part_text(kind, part);
                    if !text.is_empty() {
                        let place = next_part(out);
                        out.push_text(place, &Fragment::from(text));
                    }
                }
            } else {
                let place = next_part(out);
                out.push_text(place, &text);
            }
        }
        for part in message.items() {
            has_refusal |= part.get("type").is_some_and(|kind| kind.is("refusal"));
            let place = next_part(out);
            read_part(place, part, formats, out);
        }
    }
    if let Some(refusal) = from.get_fragment("refusal").filter(|_| !has_refusal) {
        let place = next_part(out);
        out.push_refusal(place, &refusal);
    }
    for call in calls.get(read..).unwrap_or_default() {
        read_call(next(), call, out);
    }
    read_end(choice, from, out);
}

/// Reads the finish reason of a choice.
fn read_end(choice: u32, from: Value<'_>, out: &mut Builder) {
    if let Some(reason) = from.get("finishReason").and_then(read_finish_reason) {
        let raw = from.get_text("rawFinishReason").map(Into::into);
        out.finish(choice, Finish { reason, raw, or_tool_use: false });
    }
}

fn read_call(place: Place, known: &CommonCall<'_>, out: &mut Builder) {
    let call = known.call;
    let name = call.get_text("name").unwrap_or_default();
    out.open_call(place, call.get_text("id").as_deref(), Some(&name));
    if !known.lacks_arguments() {
        out.push_arguments(place, &known.arguments);
    }
    if let Some(signature) = call.get_non_empty("signature") {
        out.push_call_signature(place, signature);
    }
    if known.is_cut {
        out.cut_call(place, Cut::Surely);
    }
    out.end_call(place);
}

pub(super) fn read_part(place: Place, part: Value<'_>, formats: &Formats, out: &mut Builder) {
    let text = part.get_fragment("text").unwrap_or_default();
    let owned = |name| part.get_text(name).map(Into::into);
    let raw = || part.get("raw").and_then(Value::raw).unwrap_or_else(RawJson::null);
    let list = |name| part.get_items(name).filter_map(Value::raw);
    match &*part.get_text("type").unwrap_or_default() {
        "text" => {
            if let Some(phase) = part.get_non_empty("phase") {
                out.set_phase(place, phase);
            }
            out.push_text(place, &text);
            list("annotations").for_each(|annotation| out.push_annotation(place, annotation));
            out.push_logprobs(place, list("logprobs").collect_vec());
            if let Some(signature) = part.get_non_empty("signature") {
                out.push_text_signature(place, signature);
            }
        }
        "reasoning" => {
            if let Some(id) = part.get_non_empty("id") {
                out.set_reasoning_id(place, id);
            }
            out.push_reasoning(place, &text);
            if let Some(signature) = part.get_non_empty("signature") {
                out.push_signature(place, signature);
            }
            if let Some(data) = part.get_non_empty("encrypted") {
                out.set_encrypted(place, data);
            }
            if let Some(format) = formats.find(part) {
                out.set_reasoning_format(place, format);
            }
        }
        "refusal" => out.push_refusal(place, &text),
        "image" => {
            let (url, base64) = (owned("url"), owned("base64"));
            out.set_part(place, ContentPart::Image { url, base64, raw: raw() });
        }
        "audio" => {
            let (id, base64, transcript) = (owned("id"), owned("base64"), owned("transcript"));
            out.set_part(place, ContentPart::Audio { id, base64, transcript, raw: raw() });
        }
        "server-tool" => {
            let name = owned("name").unwrap_or_default();
            let [call, result] = ["call", "result"].map(|name| part.get(name).and_then(Value::raw));
            out.set_part(place, ContentPart::ServerTool { id: owned("id"), name, call, result, raw: raw() });
        }
        _ => out.set_part(place, ContentPart::Other { raw: raw() }),
    }
}

/// Formats of the signatures and encrypted reasoning, as far as the provider's form of the response names them.
#[derive(Debug, Default)]
pub(super) struct Formats(Vec<(String, String)>);

impl Formats {
    fn of(api_specific: Option<Value<'_>>) -> Self {
        let mut formats = Self::default();
        let Some(own) = api_specific else { return formats };
        for choice in own.get_items("choices") {
            let details = choice.get("message").map(|message| message.get_items("reasoning_details"));
            details.into_iter().flatten().for_each(|detail| formats.add(detail, detail));
            let blocks = choice.get("message").map(|message| message.get_items("thinking_blocks"));
            blocks.into_iter().flatten().for_each(|block| formats.add_named(block, ANTHROPIC));
            let items = choice.get("message").map(|message| message.get_items("reasoning_items"));
            items.into_iter().flatten().for_each(|item| formats.add_named(item, OPENAI));
            let thoughts = |&name| choice.get("message").map(|message| message.get_items(name));
            for thought in EXTRA_CONTENT.iter().filter_map(thoughts).flatten() {
                if let Some(format) = format_of_thought(thought) {
                    formats.add_named(thought, format);
                }
            }
        }
        for item in own.get_items("outputItems") {
            formats.add(item, item);
        }
        for block in own.get_items("contentBlocks") {
            formats.add(block, block.get("extra_content").unwrap_or(block));
        }
        formats
    }

    /// Adds the signature and encrypted data of `sealed`, with the `format` of `named`.
    fn add(&mut self, sealed: Value<'_>, named: Value<'_>) {
        if let Some(format) = named.get_non_empty("format") {
            self.add_named(sealed, format);
        }
    }

    fn add_named(&mut self, sealed: Value<'_>, format: &str) {
        for name in ["signature", "data", "encrypted_content"] {
            if let Some(seal) = sealed.get_non_empty(name) {
                self.0.push((seal.to_owned(), format.to_string()));
            }
        }
    }

    /// Returns the format of a reasoning part.
    fn find(&self, part: Value<'_>) -> Option<&str> {
        let seal = part.get_non_empty("signature").or_else(|| part.get_non_empty("encrypted"))?;
        self.0.iter().find(|(known, _)| *known == seal).map(|(_, format)| format.as_str())
    }
}

pub(super) fn read_finish_reason(reason: Value<'_>) -> Option<FinishReason> {
    if let Some(word) = reason.get_text("unknown") {
        return Some(FinishReason::Unknown(word.into_owned()));
    }
    Some(FinishReason::from_word(&reason.text()?))
}
