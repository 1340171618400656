//! Repeated items. An item that is announced after a finished one may be the same item, sent again under another id or
//! index: a call in full, or a message with more text at its end. Its content decides, and is held back while it only
//! repeats the known content.

use super::claim::{Claim, ItemEvent};
use super::client_tools::arguments_at;
use super::echo::{Echo, EchoMatch};
use super::item::{Item, Stage};
use super::role::Role;
use super::streamed_field::{EventFields, STREAMED_FIELDS};
use super::whole::{have_different_phases, is_significant, whole_text};
use crate::accumulator::Builder;
use crate::json::{Document, Fragment, RawJson, Value, compact, string_of};
use crate::save::state;

/// The content that an event has for the item.
pub(super) enum EventContent<'a> {
    /// A fragment of the content.
    Fragment(Fragment<'a>),
    /// The complete content.
    Complete(&'a str),
    /// The complete item.
    Item(Value<'a>),
    /// No content.
    Empty,
}

impl<'a> EventContent<'a> {
    /// Returns the content of an event. `whole` is the complete content, if the event has it.
    pub(super) fn from_event(event: &EventFields<'a>, whole: Option<Value<'a>>) -> Self {
        if let Some(whole) = whole.and_then(Value::non_empty) {
            return Self::Complete(whole);
        }
        let piece = event.delta().or_else(|| event.whole.first(&["text", "arguments"]));
        let object = |piece: Value<'a>| {
            piece
                .get_fragment("text")
                .or_else(|| Some(Fragment { text: piece.compact()?.into(), ..Fragment::default() }))
        };
        match piece.and_then(|piece| piece.scalar_fragment().or_else(|| object(piece))) {
            Some(piece) if !piece.is_empty() => Self::Fragment(piece),
            _ => Self::Empty,
        }
    }
}

/// An item that may repeat a finished one.
#[derive(Debug)]
pub(super) struct PossibleRepeat {
    /// Slot of the finished item.
    pub(super) original: u64,
    pub(super) type_name: String,
    pub(super) id: Option<String>,
    call_id: Option<String>,
    pub(super) index: Option<u64>,
    /// JSON of the item as announced; `null` if it wasn't announced.
    item: RawJson,
    /// Content of the finished item.
    known: String,
    pub(super) echo: Echo,
    /// Whether its ids and index don't match those of the finished item.
    pub(super) is_other: bool,
}

state! { struct PossibleRepeat { original, type_name, id, call_id, index, item, known, echo, is_other } }

impl PossibleRepeat {
    /// Returns the undecided item if the claimed item may repeat `original`. `is_other`: its ids and index don't match.
    pub(super) fn detect(original: &Item, claim: &Claim<'_>, is_other: bool, out: &Builder) -> Option<Self> {
        let is_over = original.stage == Stage::Done || is_other && original.spots.has_complete();
        let known = match (original.role, Role::of(claim.type_name, claim.item)) {
            _ if !is_over => return None,
            (Role::Message, Role::Message) => original.text(out),
            (Role::Call(_), _) if !claim.has_id(original) || !claim.index_may_match(original) => {
                original.call_input(out)?
            }
            _ => return None,
        };
        let begins_with_text = claim.item_event == ItemEvent::Start
            && claim.item.is_some_and(|item| !whole_text(item).is_empty());
        // With several parts, a fragment may continue any of them. Calls are matched by id, so their content may be
        // short.
        let is_whole = original.spots.indices().nth(1).is_none();
        let is_significant = is_whole && (claim.type_name != "message" || is_significant(&known));
        if is_other && (!is_significant || has_different_phase(original, claim, out)) || begins_with_text {
            return None;
        }
        Some(Self {
            original: original.slot,
            type_name: claim.type_name.to_owned(),
            id: claim.id.map(str::to_owned),
            call_id: claim.call_id.map(str::to_owned),
            index: claim.index,
            item: claim.item.and_then(Value::raw).unwrap_or_else(RawJson::null),
            echo: if is_significant { Echo::new(&known) } else { Echo::default() },
            known,
            is_other,
        })
    }

    /// Whether an event is about this item. `is_known`: the event's id belongs to a known item.
    pub(super) fn matches(&self, claim: &Claim<'_>, is_known: bool) -> bool {
        let is_same_id = self.id.is_none() || claim.id.is_none() || self.id.as_deref() == claim.id;
        let is_same_index = self.index.is_none() || claim.index.is_none() || self.index == claim.index;
        let is_named = is_same_id || (self.index.is_some() && !is_known);
        self.type_name == claim.type_name && is_same_index && is_named
    }

    /// Returns whether it repeats the finished item; `None` while undecided.
    pub(super) fn is_repeat(&mut self, content: &EventContent<'_>) -> Option<bool> {
        match content {
            EventContent::Empty => None,
            EventContent::Fragment(piece) => match self.echo.compare(piece) {
                EchoMatch::Repeats => {
                    self.echo.new_text(piece.clone());
                    None
                }
                EchoMatch::Extends => Some(self.is_message()),
                EchoMatch::Differs => Some(false),
            },
            EventContent::Complete(whole) => Some(self.has_content(whole)),
            EventContent::Item(item) => {
                let whole = content_of(*item);
                Some(if whole.is_empty() { self.is_fully_repeated() } else { self.has_content(&whole) })
            }
        }
    }

    /// Returns the claim of the item as announced.
    pub(super) fn claim<'a>(&'a self, item: Option<Value<'a>>) -> Claim<'a> {
        Claim {
            item_event: ItemEvent::Start,
            id: self.id.as_deref(),
            call_id: self.call_id.as_deref(),
            type_name: &self.type_name,
            index: self.index,
            item,
        }
    }

    /// Returns the item as announced, parsed.
    pub(super) fn item(&self) -> Option<Document<'_>> {
        self.item.document().filter(|tape| tape.root().is_object())
    }

    /// Whether the complete known content was repeated. If no content came, the ids and index decide.
    pub(super) fn is_fully_repeated(&self) -> bool {
        self.echo.is_complete() || !self.is_other && self.repeated_text().is_empty()
    }

    /// Returns the content so far, which only repeats the known content.
    pub(super) fn repeated_text(&self) -> &str {
        self.echo.repeated()
    }

    /// Whether this is the content of the finished item. A message may have more.
    fn has_content(&self, whole: &str) -> bool {
        if self.is_message() {
            whole.starts_with(&self.known)
        } else {
            compact(whole) == compact(&self.known)
        }
    }

    pub(super) fn is_message(&self) -> bool {
        self.type_name == "message"
    }
}

impl Item {
    /// Returns the input of a call of one of the client's own tools, in the form of its deltas.
    fn call_input(&self, out: &Builder) -> Option<String> {
        let arguments = arguments_at(self.place(0), out);
        match &*self.type_name {
            "function_call" => Some(arguments.to_owned()),
            "custom_tool_call" => string_of(arguments),
            _ => None,
        }
    }

    /// Appends content that was held back.
    pub(super) fn append_held_back(&mut self, text: &str, out: &mut Builder) {
        let field = STREAMED_FIELDS.iter().find(|field| field.item == self.type_name);
        if let Some(field) = field.filter(|_| !text.is_empty()) {
            let index = self.place_index(field, None, false, None);
            self.push(field, index, &Fragment::from(text), out);
        }
    }
}

/// Returns the content of a complete item, in the form of its deltas.
pub(super) fn content_of(item: Value<'_>) -> String {
    let Some(input) = item.first(&["arguments", "input"]) else { return whole_text(item) };
    input.text_or_compact().unwrap_or_default()
}

fn has_different_phase(original: &Item, claim: &Claim<'_>, out: &Builder) -> bool {
    let Some(item) = claim.item.filter(|item| item.get("phase").is_some()) else { return false };
    original.raw(out).document().is_some_and(|original| have_different_phases(original.root(), item))
}
