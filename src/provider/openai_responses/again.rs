//! Repeated items. An item that is announced after a finished one may be the same item, sent again under another id or
//! index: a call in full, or a message with more text at its end. Its content decides, and is held back while it only
//! repeats the known content.

use std::borrow::Cow;

use super::claim::{About, Claim};
use super::client_tools::arguments_at;
use super::echo::{Echo, Heard};
use super::growth::{EventFields, GROWTHS};
use super::item::{Item, Stage};
use super::role::Role;
use super::whole::{have_other_phases, is_telling, whole_text};
use crate::accumulator::Builder;
use crate::json::{Document, Fragment, RawJson, Value, compact, string_of};
use crate::save::state;

/// The content that an event has for the item.
pub(super) enum Said<'a> {
    /// A fragment of the content.
    Piece(Fragment<'a>),
    /// The complete content.
    Whole(&'a str),
    /// The complete item.
    Item(Value<'a>),
    /// No content.
    Nothing,
}

impl<'a> Said<'a> {
    /// Returns the content of an event. `whole` is the complete content, if the event has it.
    pub(super) fn of(event: &EventFields<'a>, whole: Option<Value<'a>>) -> Self {
        if let Some(whole) = whole.and_then(Value::non_empty) {
            return Self::Whole(whole);
        }
        let piece = event.delta().or_else(|| event.whole.first(&["text", "arguments"]));
        let object = |piece: Value<'a>| {
            piece
                .get_fragment("text")
                .or_else(|| Some(Fragment { text: piece.compact()?.into(), ..Fragment::default() }))
        };
        match piece.and_then(|piece| piece.spoken().or_else(|| object(piece))) {
            Some(piece) if !piece.is_empty() => Self::Piece(piece),
            _ => Self::Nothing,
        }
    }
}

/// An item that may repeat a finished one.
#[derive(Debug)]
pub(super) struct Again {
    /// Slot of the finished item.
    pub(super) at: u64,
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

state! { struct Again { at, type_name, id, call_id, index, item, known, echo, is_other } }

impl Again {
    /// Returns the undecided item if the claimed item may repeat `before`. `is_other`: its ids and index don't match.
    pub(super) fn of(before: &Item, claim: &Claim<'_>, is_other: bool, out: &Builder) -> Option<Self> {
        let is_over = before.stage == Stage::Done || is_other && before.spots.has_whole();
        let known = match (before.role, Role::of(claim.type_name, claim.item)) {
            _ if !is_over => return None,
            (Role::Message, Role::Message) => before.said(out),
            (Role::Call(_), _) if !claim.has_id(before) || !claim.may_be_at(before) => before.input(out)?,
            _ => return None,
        };
        let begins_with_text =
            claim.about == About::Start && claim.item.is_some_and(|item| !whole_text(item).is_empty());
        // With several parts, a fragment may continue any of them. Calls are matched by id, so their content may be
        // short.
        let is_whole = before.spots.indices().nth(1).is_none();
        let is_telling = is_whole && (claim.type_name != "message" || is_telling(&known));
        if is_other && (!is_telling || has_other_phase(before, claim, out)) || begins_with_text {
            return None;
        }
        Some(Self {
            at: before.slot,
            type_name: claim.type_name.to_owned(),
            id: claim.id.map(str::to_owned),
            call_id: claim.call_id.map(str::to_owned),
            index: claim.index,
            item: claim.item.and_then(Value::raw).unwrap_or_else(RawJson::null),
            echo: if is_telling { Echo::new(&known) } else { Echo::default() },
            known,
            is_other,
        })
    }

    /// Whether an event is about this item. `is_known`: the event's id belongs to a known item.
    pub(super) fn is_meant(&self, claim: &Claim<'_>, is_known: bool) -> bool {
        let is_same_id = self.id.is_none() || claim.id.is_none() || self.id.as_deref() == claim.id;
        let is_same_index = self.index.is_none() || claim.index.is_none() || self.index == claim.index;
        let is_named = is_same_id || (self.index.is_some() && !is_known);
        self.type_name == claim.type_name && is_same_index && is_named
    }

    /// Returns whether it repeats the finished item; `None` while undecided.
    pub(super) fn is_it(&mut self, said: &Said<'_>) -> Option<bool> {
        match said {
            Said::Nothing => None,
            Said::Piece(piece) => match self.echo.compare(piece) {
                Heard::Again => {
                    self.echo.news(piece.clone());
                    None
                }
                Heard::Beyond => Some(self.is_message()),
                Heard::Other => Some(false),
            },
            Said::Whole(whole) => Some(self.has(whole)),
            Said::Item(item) => {
                let whole = content_of(*item);
                Some(if whole.is_empty() { self.is_heard() } else { self.has(&whole) })
            }
        }
    }

    /// Returns the claim of the item as announced.
    pub(super) fn claim<'a>(&'a self, item: Option<Value<'a>>) -> Claim<'a> {
        Claim {
            about: About::Start,
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
    pub(super) fn is_heard(&self) -> bool {
        self.echo.is_over() || !self.is_other && self.heard().is_empty()
    }

    /// Returns the content so far, which only repeats the known content.
    pub(super) fn heard(&self) -> &str {
        self.echo.heard()
    }

    /// Whether this is the content of the finished item. A message may have more.
    fn has(&self, whole: &str) -> bool {
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
    fn input(&self, out: &Builder) -> Option<String> {
        let arguments = arguments_at(self.place(0), out);
        match &*self.type_name {
            "function_call" => Some(arguments.to_owned()),
            "custom_tool_call" => string_of(arguments),
            _ => None,
        }
    }

    /// Appends content that was held back.
    pub(super) fn resume(&mut self, text: &str, out: &mut Builder) {
        let growth = GROWTHS.iter().find(|growth| growth.item == self.type_name);
        if let Some(growth) = growth.filter(|_| !text.is_empty()) {
            let index = self.index(growth, None, false, None);
            self.push(growth, index, &Fragment::from(text), out);
        }
    }
}

/// Returns the content of a complete item, in the form of its deltas.
pub(super) fn content_of(item: Value<'_>) -> String {
    let Some(input) = item.first(&["arguments", "input"]) else { return whole_text(item) };
    input.text().map(Cow::into_owned).or_else(|| input.compact()).unwrap_or_default()
}

fn has_other_phase(before: &Item, claim: &Claim<'_>, out: &Builder) -> bool {
    let Some(item) = claim.item.filter(|item| item.get("phase").is_some()) else { return false };
    before.raw(out).document().is_some_and(|before| have_other_phases(before.root(), item))
}
