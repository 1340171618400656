//! What grows in an item while it is streamed.

use super::client_tools::arguments_at;
use super::echo::Echo;
use super::growth::{Counter, EventFields, GROWTHS, Growth, Told, piece};
use super::item::{Frame, Item, Stage};
use super::role::Role;
use super::whole::{GAP, needs_gap};
use crate::accumulator::{Builder, Place};
use crate::json::{Document, Field, Fragment, Object, RawJson, Value, rest_behind};
use crate::provider::node::{Node, escaped};

impl Item {
    /// A piece of something in it, or all of it. Answers whether it was understood.
    pub(super) fn grow(
        &mut self,
        growth: &'static Growth,
        told: Told,
        event: &EventFields<'_>,
        out: &mut Builder,
    ) -> bool {
        let Some(growth) = self.own(growth) else { return false };
        let body = event.whole;
        self.release(out);
        self.introduce(body, out);
        let whole =
            || body.get(growth.whole).or_else(|| event.part()?.get(growth.whole)).and_then(Value::text);
        let whole = if told == Told::Piece { None } else { whole() };
        let index = self.index(growth, growth.index.of(event), told == Told::Start, whole.as_deref());
        if growth.member == "output" {
            self.grow_output(index, body);
            return true;
        }
        if told == Told::Piece {
            let piece = piece(growth, event);
            let is_read = piece.is_some() || (event.delta().is_none() && !event.has_unread());
            if let Some(piece) = piece {
                self.push(growth, index, &piece, out);
            }
            let Some(tokens) = event.logprobs().filter(|_| growth.leaf == "text") else { return is_read };
            let tokens: Vec<RawJson> = tokens.items().filter_map(Value::raw).collect();
            if !tokens.is_empty() {
                let list = self.part(growth, index).member("logprobs");
                for token in &tokens {
                    list.add(token.clone());
                }
                if self.is_answer() {
                    out.push_logprobs(self.place(index), tokens);
                }
            }
            return is_read;
        }
        if let (Role::Call(tool), true) = (self.role, growth.leaf.is_empty()) {
            if let Some(raw) = body.get(growth.whole).and_then(Value::raw) {
                self.leaf(growth, index).set(raw);
            }
            tool.complete(self.place(0), body.get_label("call_id"), body, out);
            self.spots.end_latest();
            return true;
        }
        if let Some(whole) = whole {
            self.complete(growth, index, &whole, told == Told::Start, out);
            self.complete_logprobs(growth, index, event, out);
            if let (Role::Part, false) = (self.role, whole.is_empty()) {
                self.show_progress(out);
            }
        }
        if told == Told::Whole {
            self.spots.end_latest();
        }
        true
    }

    /// What really grows: a part of a reasoning item is reasoning, and the input of a function its arguments, whatever the
    /// event calls it. `None` if it can't be the item's: arguments may contain the input of a custom tool.
    fn own(&mut self, growth: &'static Growth) -> Option<&'static Growth> {
        if growth.item == self.type_name {
            return Some(growth);
        }
        if let Role::Reasoning = self.role {
            self.is_mislabelled = true;
            return GROWTHS.iter().find(|growth| growth.event == "reasoning_text");
        }
        GROWTHS.iter().find(|own| own.item == self.type_name && own.member == "arguments")
    }

    /// What an event says of a call that was never announced. Without a call id, it has that of its item.
    fn introduce(&mut self, event: Value<'_>, out: &mut Builder) {
        let (Role::Call(tool), Stage::Implied) = (self.role, self.stage) else { return };
        let place = self.place(0);
        let (name, call_id) = (event.get_label("name"), event.get_label("call_id"));
        if let Some(name) = name {
            self.node.member("name").set_text(name);
        }
        if let Some(id) = call_id {
            self.set_id("call_id", id);
            tool.open(place, call_id, event, out);
        } else if let (Some(name), None, Some(id)) = (name, out.call_id(place), &self.id) {
            self.node.member("call_id").set_text(id);
            out.hold_call(place, id, name);
        }
    }

    /// Where something grows. Without an index it is where something of its kind grew last. All of a text that was told
    /// before, under an index that is new, is that text.
    pub(super) fn index(
        &mut self,
        growth: &Growth,
        named: Option<u64>,
        is_start: bool,
        whole: Option<&str>,
    ) -> u64 {
        if let (Some(whole), Some(latest), false) = (whole, self.spots.latest(growth.leaf), is_start)
            && !self.spots.has(named)
            && !whole.is_empty()
            && self.leaf(growth, latest).text() == whole
        {
            return latest;
        }
        let is_sure = growth.part.is_empty() || self.spots.is_steady() && is_of_summary(growth);
        self.spots.enter(named, growth.leaf, is_start, !is_sure)
    }

    /// Where this grew last, in which more of it would go.
    pub(super) fn growing(&self, growth: &Growth) -> Option<Place> {
        let index = self.spots.latest(growth.leaf).filter(|_| growth.member != "output")?;
        // The next one tells whether the index counts deltas.
        (self.spots.is_steady() || !is_of_summary(growth)).then(|| self.place(index))
    }

    /// Whether the deltas of what grows are the text itself.
    pub(super) fn tells_unescaped(&self, growth: &Growth) -> bool {
        match self.role {
            Role::Message => growth.item == "message",
            Role::Reasoning => growth.item == "reasoning",
            Role::Call(_) => growth.member == "arguments" && growth.item == self.type_name,
            Role::Part => growth.item == self.type_name,
        }
    }

    /// A part of a message or of a reasoning item begins or is over.
    pub(super) fn take_part(
        &mut self,
        growth: Option<&'static Growth>,
        is_start: bool,
        event: &EventFields<'_>,
        out: &mut Builder,
    ) {
        let Some(part) = event.part() else { return };
        let named = event.content_index().or(event.summary_index()).unsigned();
        let Some(growth) = growth else {
            let index = self.spots.enter(named, "part", is_start, false);
            self.node.member("content").item(index).set(part.raw().unwrap_or_else(RawJson::null));
            if !is_start {
                self.complete_part(index, part, out);
            }
            return;
        };
        let Some(growth) = self.own(growth) else { return };
        let text = part.get_label(growth.leaf).unwrap_or_default();
        let index = self.index(growth, named, is_start, Some(text));
        let node = self.part(growth, index);
        for (name, value) in part.others(&["text", "refusal"]) {
            let known = node.member(&name);
            if let (Some(raw), true) = (value.raw(), known.is_empty() || !super::item::is_empty(value)) {
                known.set(raw);
            }
        }
        if !is_start {
            self.spots.end_latest();
        }
        if growth.item == "reasoning" {
            return self.complete(growth, index, text, is_start, out);
        }
        if is_start {
            let is_first = self.leaf(growth, index).is_empty();
            if is_first && !text.is_empty() {
                self.leaf(growth, index).set_text(text);
                self.echo = Echo::default();
                self.start_part(index, part, out);
            }
        } else {
            self.complete_part(index, part, out);
            if !text.is_empty() {
                self.leaf(growth, index).set_text(text);
            }
        }
    }

    /// The log probabilities of a text, which some servers only send with all of it.
    fn complete_logprobs(&mut self, growth: &Growth, index: u64, event: &EventFields<'_>, out: &mut Builder) {
        let tokens = event.logprobs().filter(|_| growth.leaf == "text" && !out.is_brief());
        let Some(tokens) = tokens.filter(|tokens| tokens.items().next().is_some()) else { return };
        let known = self.part(growth, index).member("logprobs");
        if let (Some(raw), true) = (tokens.raw(), known.is_empty()) {
            known.set(raw);
        }
        if self.is_answer() {
            out.complete_logprobs(self.place(index), tokens.items().filter_map(Value::raw).collect());
        }
    }

    /// Speech: a piece of its `data` or of its `transcript`. The documented events name neither item nor part.
    pub(super) fn hear(&mut self, name: &'static str, event: &EventFields<'_>, out: &mut Builder) {
        let Some(delta) = event.delta().filter(|delta| delta.fragment().is_some()) else { return };
        let index = event.content_index().unsigned().unwrap_or_default();
        let part = self.node.member("content").item(index);
        part.member("type").set_text("output_audio");
        if let Some(piece) = delta.fragment() {
            part.member(name).push(&piece);
        }
        let mut audio = Object::default();
        audio.put(name, delta);
        if let (true, Ok(tape)) = (self.is_answer(), Document::parse(&audio.to_json(), usize::MAX)) {
            out.push_audio(self.place(index), tape.root());
        }
    }

    /// An annotation of the text.
    pub(super) fn annotate(&mut self, event: &EventFields<'_>, out: &mut Builder) {
        if let (Some(growth), Some(annotation)) =
            (GROWTHS.first(), event.whole.get("annotation").and_then(Value::raw))
        {
            let index = self.index(growth, growth.index.of(event), false, None);
            let at = event.whole.get_unsigned("annotation_index").map(|at| at as usize);
            let known = out.annotations_at(self.place(index));
            let fitted = out.fitted(self.place(index), annotation.clone());
            if at.is_none_or(|at| known.get(at) != Some(&fitted)) {
                self.part(growth, index).member("annotations").add(annotation.clone());
                if self.is_answer() {
                    out.push_annotation(self.place(index), annotation);
                }
            }
        }
    }

    pub(super) fn push(
        &mut self,
        growth: &'static Growth,
        index: u64,
        piece: &Fragment<'_>,
        out: &mut Builder,
    ) {
        if let Some(piece) = &self.echo.news(piece.clone()) {
            self.tell(growth, index, piece, out);
            let is_of_call = growth.member == "arguments" && matches!(self.role, Role::Call(_));
            let leaf = self.leaf(growth, index);
            if !is_of_call {
                leaf.push(piece);
            } else if !leaf.is_empty() {
                // The call has what came before, too, and knows what comes again.
                leaf.set_text("");
            }
        }
    }

    /// All of something that grows: brings what is missing. At the start it may come again, in pieces.
    fn complete(
        &mut self,
        growth: &'static Growth,
        index: u64,
        whole: &str,
        is_start: bool,
        out: &mut Builder,
    ) {
        if is_start && !whole.is_empty() && self.leaf(growth, index).text() == whole {
            return;
        }
        if let Role::Call(_) = self.role {
            self.enter(growth, index, out);
        }
        let known = self.leaf(growth, index).text();
        let is_new = known.is_empty();
        let rest = rest_behind(whole, &known);
        match rest {
            // What follows may still come again.
            Some("") => self.echo.pass(whole),
            None if whole.is_empty() => {}
            _ => self.echo = Echo::default(),
        }
        match rest {
            Some(rest) => self.push(growth, index, &Fragment::from(rest), out),
            None if whole.is_empty() => {}
            None => match growth.leaf {
                "text" if growth.item == "message" && self.is_answer() => {
                    out.complete_text(self.place(index), whole);
                }
                "refusal" if self.is_answer() => out.complete_refusal(self.place(index), whole),
                _ => self.leaf(growth, index).set_text(whole),
            },
        }
        if is_start && is_new {
            self.echo = Echo::new(whole);
        }
    }

    /// Gives a piece out.
    pub(super) fn tell(
        &mut self,
        growth: &'static Growth,
        index: u64,
        piece: &Fragment<'_>,
        out: &mut Builder,
    ) {
        match self.role {
            Role::Message if growth.leaf == "refusal" => out.push_refusal(self.place(index), piece),
            Role::Message => out.push_text(self.place(index), piece),
            Role::Reasoning => {
                if piece.is_empty() || *self.shown.get_or_insert(growth.member) != growth.member {
                    return;
                }
                let is_first = growth.member == "summary" && self.leaf(growth, index).is_empty();
                if is_first && needs_gap(out.reasoning_at(self.place(0)), &piece.text) {
                    out.push_reasoning(self.place(0), &Fragment::from(GAP));
                }
                out.push_reasoning(self.place(0), piece);
            }
            Role::Call(_) if growth.member == "arguments" => out.push_arguments(self.place(0), piece),
            Role::Call(_) => {
                if self.enter(growth, index, out) {
                    out.push_arguments(self.place(0), &escaped(piece));
                }
            }
            Role::Part => {}
        }
    }

    /// Goes to the string at this index in the arguments of a call, which is opened where it is new.
    fn enter(&mut self, growth: &Growth, index: u64, out: &mut Builder) -> bool {
        let place = self.place(0);
        match self.frame {
            Frame::Unopened => {
                let opening = match growth.leaf {
                    _ if !arguments_at(place, out).is_empty() => None,
                    "" => Some("\"".to_owned()),
                    leaf => self.node.member(growth.member).up_to(leaf),
                };
                self.frame = if opening.is_some() { Frame::Open(index) } else { Frame::Unknown };
                out.push_arguments(place, &Fragment::from(&*opening.unwrap_or_default()));
            }
            Frame::Open(open) if open < index => {
                out.push_arguments(place, &Fragment::from("\",\""));
                self.frame = Frame::Open(index);
            }
            _ => {}
        }
        matches!(self.frame, Frame::Open(open) if open == index)
    }

    /// What a command of a shell has written at the provider: pieces of `stdout` and `stderr`, or all of it.
    fn grow_output(&mut self, index: u64, event: Value<'_>) {
        let output = self.node.member("output").item(index);
        for name in ["stdout", "stderr"] {
            if let Some(piece) = event.get("delta").and_then(|delta| delta.get_fragment(name)) {
                output.member(name).push(&piece);
            }
        }
        if let Some(raw) = event.get_items("output").next().and_then(Value::raw) {
            output.set(raw);
        }
    }

    /// The part, or the member, in which something grows.
    fn part(&mut self, growth: &Growth, index: u64) -> &mut Node {
        let member = self.node.member(growth.member);
        if growth.part.is_empty() {
            return member;
        }
        let part = member.item(index);
        if part.is_empty() {
            part.member("type").set_text(growth.part);
            if growth.part == "output_text" {
                part.member("text").set_text("");
                part.member("annotations").set(RawJson::of(&Vec::<RawJson>::new()));
            }
        }
        part
    }

    /// What grows.
    fn leaf(&mut self, growth: &Growth, index: u64) -> &mut Node {
        let part = self.part(growth, index);
        match growth.leaf {
            "" => part,
            "commands" => part.member("commands").item(index),
            leaf => part.member(leaf),
        }
    }
}

/// Whether parts of a summary grow.
fn is_of_summary(growth: &Growth) -> bool {
    matches!(growth.index, Counter::Summary)
}
