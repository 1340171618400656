//! Lines of a stream and complete bodies, which have the same members.

use super::usage::read_usage;
use super::{is_body, is_event};
use crate::accumulator::{Builder, Finish, Place, ProviderFields};
use crate::json::{Field, Fragment, Object, RawJson, Value, fields};
use crate::model::{ApiSpecific, ContentPart, Failure, FailureCode, FinishReason};
use crate::provider::call_entry::{CallEntry, details, is_blank, list_entries, push_arguments};
use crate::provider::failure::report_failure;
use crate::provider::second_body::is_second_body;
use crate::provider::stop_word::{fail, finish_of, finish_word, is_error};
use crate::provider::{Event, Provider, Repeat};
use crate::save::{saved_as_it_is, state};

fields! {
    /// A line or a body. The response of `/api/generate` has no `message`: its members are here. Unrecognised members
    /// are kept in `extra`.
    pub(super) struct Line {
        model: String,
        created_at,
        message: Object,
        response: String,
        thinking: String,
        tool_calls: Array,
        images: Array,
        image: String,
        done: Boolean,
        done_reason: String,
        logprobs: Array,
        prompt_eval_count: Number,
        prompt_eval_cached_count: Number,
        eval_count: Number,
    } also { error }
}

fields! {
    /// A message, or a piece of one.
    struct Message {
        role,
        content: String,
        thinking: String,
        tool_calls: Array,
        images: Array,
    } also {
        reasoning,
        reasoning_content,
    }
}

/// The response of the model: in a message, or next to it for `/api/generate`.
#[derive(Clone, Copy)]
struct Answer<'a> {
    thinking: Option<Value<'a>>,
    text: Option<Value<'a>>,
    calls: Option<Value<'a>>,
    images: Option<Value<'a>>,
}

impl<'a> Message<'a> {
    fn answer(&self) -> Answer<'a> {
        Answer {
            thinking: self.thinking().said().or(self.reasoning().said()).or(self.reasoning_content()),
            text: self.content(),
            calls: self.tool_calls(),
            images: self.images(),
        }
    }
}

impl<'a> Line<'a> {
    fn answer(&self) -> Answer<'a> {
        Answer {
            thinking: self.thinking(),
            text: self.response(),
            calls: self.tool_calls(),
            images: self.images(),
        }
    }

    fn is_done(&self) -> bool {
        self.done().and_then(Value::boolean) == Some(true)
    }

    fn has_text(&self) -> bool {
        let message = self.message().map(Message::of);
        let has_text = |message: Message<'_>| {
            message.content().or(message.thinking()).and_then(Value::non_empty_text).is_some()
        };
        message.is_some_and(has_text)
            || self.response().or(self.thinking()).and_then(Value::non_empty_text).is_some()
    }
}

/// Members that contain durations, in nanoseconds.
const DURATIONS: [&str; 4] = ["total_duration", "load_duration", "prompt_eval_duration", "eval_duration"];

pub(super) fn reasoning_place() -> Place {
    Place::first_choice(0, 0)
}

pub(super) fn text_place() -> Place {
    Place::first_choice(1, 0)
}

/// Returns the place of an image; images come after the text.
fn image_place(number: u64) -> Place {
    Place::first_choice(2, number)
}

/// Passes each text to `add`: a string, or, from some proxies, an object that contains it, or a list of parts as in
/// other interfaces.
fn each_text(content: Option<Value<'_>>, add: &mut dyn FnMut(&Fragment<'_>)) {
    let Some(said) = content else { return };
    for part in said.items() {
        add_text(part, add);
    }
    add_text(said, add);
}

fn add_text(part: Value<'_>, add: &mut dyn FnMut(&Fragment<'_>)) {
    let inside = || ["text", "content", "thinking"].into_iter().find_map(|name| part.get_fragment(name));
    if let Some(text) = part.scalar_fragment().or_else(inside) {
        add(&text);
    }
}

/// Maximum number of images that another one is compared with.
const MAX_COMPARED: u64 = 64;

/// Whether this is one of the first `count` images.
fn is_known_image(image: Value<'_>, count: u64, out: &Builder) -> bool {
    let raw = image.raw();
    (0..count.min(MAX_COMPARED))
        .any(|number| out.whole_part(image_place(number)).map(ContentPart::raw) == Some(raw.as_ref()))
}

/// Reads one response.
#[derive(Default)]
pub(super) struct Reader {
    calls: Vec<Call>,
    image_count: u64,
    has_time: bool,
    durations: [Option<RawJson>; DURATIONS.len()],
    context: Option<RawJson>,
    logprobs: Vec<RawJson>,
    /// Unrecognised members of the message.
    message: Object,
    extra: Object,
}

state! { struct Reader { calls, image_count, has_time, durations, context, logprobs, message, extra } }

/// A tool call, which is sent as a whole.
struct Call {
    place: Place,
    /// Unrecognised members.
    members: Object,
}

state! { struct Call { place, members } }

impl Provider for Reader {
    fn read(&mut self, event: &Event<'_>, out: &mut Builder) {
        if out.is_halted() {
            return;
        }
        if !is_event(event) {
            return out.keep_unknown_event(event.body, "isn't a line of an Ollama stream");
        }
        let line = Line::of(event.body);
        if out.is_finished() && line.has_text() && self.has_no_content(out) {
            // The model was only loaded; the response follows.
            out.reopen(0);
        } else if out.is_finished() {
            if line.is_done() {
                if is_second_body(&mut Self::default(), event, out) {
                    return self.read_summary(&line, out);
                }
            } else if line.has_text() {
                out.begin_second_answer();
            }
        }
        self.read_line(&line, out);
    }

    fn read_own(&mut self, event: &Event<'_>, out: &mut Builder) -> bool {
        let is_own = event.name.is_none() && is_body(event.body) && event.body.get("error").is_none();
        if is_own {
            self.read(event, out);
        }
        is_own
    }

    fn fields(&self, out: &Builder) -> ProviderFields {
        let [total_duration, load_duration, prompt_eval_duration, eval_duration] = self.durations.clone();
        let api_specific = ApiSpecific::OllamaChat {
            total_duration,
            load_duration,
            prompt_eval_duration,
            eval_duration,
            context: self.context.clone(),
            logprobs: self.logprobs.clone(),
            message: self.message.clone(),
            tool_calls: details(self.calls.iter().map(|call| (call.place, &call.members)), out),
            other_events: out.other_events(),
        };
        ProviderFields { api_specific: Some(api_specific), extra: self.extra.clone() }
    }

    saved_as_it_is!();

    fn repeatable(&mut self, event: &Event<'_>, _: &Builder) -> Option<Repeat> {
        super::repeat::repeatable(event.body).filter(|_| self.has_time)
    }
}

impl Reader {
    fn has_no_content(&self, out: &Builder) -> bool {
        self.calls.is_empty()
            && self.image_count == 0
            && out.text_at(text_place()).is_empty()
            && out.reasoning_at(reasoning_place()).is_empty()
    }

    fn read_line(&mut self, line: &Line<'_>, out: &mut Builder) {
        if out.has_summary()
            && let Some(model) = line.model().non_empty()
        {
            out.set_model(model);
        }
        // Some versions send `done: false` with a `done_reason`.
        let is_done = line.is_done() || finish_word(line.done_reason()).is_some();
        self.read_answer(line.answer(), is_done, out);
        if let Some(image) = line.image().filter(|image| image.non_empty_text().is_some()) {
            self.read_image(image, out);
        }
        if let Some(message) = line.message() {
            let message = Message::of(message);
            let mut answer = message.answer();
            // exo explains an error in the content.
            if finish_word(line.done_reason()).is_some_and(is_error)
                && let Some(text) = answer.text.non_empty().filter(|text| *text != out.text_at(text_place()))
            {
                out.fail(Failure::new(FailureCode::ProviderError, text));
                answer.text = None;
            }
            self.read_answer(answer, is_done, out);
            if !out.is_brief() {
                message.keep_unread(&mut self.message);
            }
        }
        if !out.is_brief() {
            self.read_details(line);
        }
        self.read_summary(line, out);
        report_failure(line.error(), line.whole, out);
    }

    /// Reads the usage and the finish reason.
    fn read_summary(&self, line: &Line<'_>, out: &mut Builder) {
        if let Some(usage) = read_usage(line).filter(|_| out.has_summary()) {
            out.set_usage(usage);
        }
        self.read_end(line, out);
    }

    fn read_end(&self, line: &Line<'_>, out: &mut Builder) {
        let reason = finish_word(line.done_reason());
        // Some versions send only the reason, or `done: false` on the last line.
        if reason.is_some() || line.is_done() {
            // An earlier final object may have had no reason.
            if reason.is_some() && out.finish_reason().1.is_none() {
                out.reopen(0);
            }
            let unnamed = Finish { reason: FinishReason::Complete, raw: None, or_tool_use: true };
            let finish = reason.map_or(unnamed, finish_of);
            if self.has_no_content(out) {
                out.hold_finish(0, finish); // reopened if a response follows after all
            } else {
                out.finish(0, finish);
                out.emit_held_back(0); // calls are sent as a whole
            }
            if let Some(reason) = reason.filter(|reason| is_error(reason)) {
                fail("done_reason", reason, out);
            }
        }
    }

    /// Reads a response, or a piece of it. Some servers repeat all of the text, and all calls, at the end.
    fn read_answer(&mut self, answer: Answer<'_>, is_done: bool, out: &mut Builder) {
        let Answer { thinking, text, calls, images } = answer;
        let thinking =
            thinking.filter(|thinking| !is_done || !thinking.is(out.reasoning_at(reasoning_place())));
        let text = text.filter(|text| !is_done || !text.is(out.text_at(text_place())));
        let calls = calls.map(list_entries).unwrap_or_default();
        let has_calls = is_done && self.are_known_calls(&calls, out);
        each_text(thinking, &mut |thinking| out.push_reasoning(reasoning_place(), thinking));
        each_text(text, &mut |text| out.push_text(text_place(), text));
        for (_, call) in calls.into_iter().filter(|_| !has_calls) {
            self.read_call(call, out);
        }
        let image_count = if is_done { self.image_count } else { 0 };
        for image in images.items() {
            if !is_known_image(image, image_count, out) {
                self.read_image(image, out);
            }
        }
    }

    /// Whether these are the known calls.
    fn are_known_calls(&self, calls: &[(Option<u64>, Value<'_>)], out: &Builder) -> bool {
        let is_same = |(known, (_, value)): (&Call, &(_, Value<'_>))| {
            let entry = CallEntry::of(*value);
            let arguments = entry.arguments.filter(|arguments| !is_blank(*arguments));
            let arguments = arguments.and_then(Value::text_or_compact);
            entry.name == out.call_name(known.place)
                && entry.id().is_none_or(|id| Some(id) == out.call_id(known.place))
                && arguments.as_deref().unwrap_or("{}") == out.arguments_at(known.place)
        };
        calls.len() == self.calls.len() && self.calls.iter().zip(calls).all(is_same)
    }

    fn read_image(&mut self, image: Value<'_>, out: &mut Builder) {
        let Some(raw) = image.raw() else { return };
        let base64 = image.non_empty_text().map(Into::into);
        let place = image_place(self.image_count);
        self.image_count += 1;
        out.set_part(place, ContentPart::Image { url: None, base64, raw });
    }

    /// Reads a call. Its index is ignored: many versions send index 0 for every call.
    fn read_call(&mut self, value: Value<'_>, out: &mut Builder) {
        let entry = CallEntry::of(value);
        if entry.is_blank() {
            return entry.keep_in(&mut self.message);
        }
        let place = Place::first_choice(0, self.calls.len() as u64);
        let mut call = Call { place, members: Object::default() };
        if let Some(last) = self.calls.last() {
            out.end_call(last.place);
        }
        out.open_call(place, entry.id(), entry.name);
        if let Some(arguments) = entry.arguments {
            push_arguments(arguments, place, out);
        }
        out.stop_call(place);
        entry.keep_unread(&mut call.members);
        self.calls.push(call);
    }

    /// Reads the details, which only the result contains.
    fn read_details(&mut self, line: &Line<'_>) {
        if let Some(time) = line.created_at().and_then(Value::raw).filter(|_| !self.has_time) {
            self.has_time = true;
            self.extra.set("created_at", time);
        }
        self.logprobs.extend(line.logprobs().items().filter_map(Value::raw));
        line.each_unread(|name, value| {
            let duration = DURATIONS.iter().position(|duration| *duration == name);
            match duration.and_then(|at| self.durations.get_mut(at)) {
                Some(duration) if value.number().is_some() => *duration = value.raw(),
                _ if name == "context" => self.context = value.raw().or(self.context.take()),
                _ => self.extra.put(name, value),
            }
        });
        line.keep_misfits(&mut self.extra);
    }
}
