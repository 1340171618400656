//! Items that are tool calls: when each begins, and whether the client or the provider runs it.

use super::client_tools::{ClientTool, arguments_at, call_id};
use super::echo::Echo;
use super::item::{Item, Stage, is_empty};
use super::role::Role;
use super::streamed_field::STREAMED_FIELDS;
use crate::accumulator::{Builder, is_placeholder};
use crate::json::{Fragment, Object, RawJson, Value};
use crate::provider::extra_content::read_call_signature;

impl Item {
    /// Whether this is an announced call that is held back until it's known who runs it.
    pub(super) fn is_held_back(&self, out: &Builder) -> bool {
        matches!(self.role, Role::Call(_)) && self.stage == Stage::Added && !out.has_call(self.place(0))
    }

    /// Starts a held-back call, because the client runs it.
    pub(super) fn start_held_back(&mut self, out: &mut Builder) {
        if let (Role::Call(tool), true) = (self.role, self.is_held_back(out))
            && let Some(tape) = self.raw(out).document()
        {
            self.start_call(tool, tape.root(), out);
        }
    }

    /// Opens a held-back call with its id and name, but without arguments.
    pub(super) fn open_held_back(&self, out: &mut Builder) {
        if let (Role::Call(tool), true) = (self.role, self.is_held_back(out))
            && let Some(tape) = self.raw(out).document()
        {
            tool.open(self.place(0), call_id(tape.root()), tape.root(), out);
        }
    }

    /// Completes a call whose end is missing from a complete answer: the content received so far is all of it.
    pub(super) fn complete_unfinished(&mut self, out: &mut Builder) {
        if let Role::Call(tool) = self.role
            && let Some(tape) = self.raw(out).document()
        {
            tool.complete(self.place(0), call_id(tape.root()), tape.root(), out);
        }
    }

    /// Whether `item` should be complete but lacks a custom tool's input, which some servers send only at the end.
    pub(super) fn awaits_input(&self, item: Value<'_>, out: &Builder) -> bool {
        matches!(self.role, Role::Call(_)) && lacks_input(item) && arguments_at(self.place(0), out).is_empty()
    }

    /// Whether this call is held back, and the item that ends it shows that the provider ran it.
    pub(super) fn ends_as_server_tool(
        &self,
        type_name: &str,
        item: Option<Value<'_>>,
        out: &Builder,
    ) -> bool {
        self.is_held_back(out) && matches!(Role::of(type_name, item), Role::Part)
    }

    /// Whether this is a call that neither an event nor `item` has named. Without an id of its own, the client can neither
    /// run nor answer it: gateways pass on calls of the provider's own tools like this.
    pub(super) fn is_nameless(&self, item: Value<'_>, out: &Builder) -> bool {
        matches!(self.role, Role::Call(tool) if tool.name(item).is_none()) && !self.is_named(out)
    }

    /// Ends a call that nothing has named, nor given a call id, because the answer is over.
    pub(super) fn end_nameless(&mut self, out: &mut Builder) {
        if let (Role::Call(_), None, false) = (self.role, &self.call_id, self.is_named(out)) {
            self.mark_provider_run(out);
        }
    }

    fn is_named(&self, out: &Builder) -> bool {
        out.call_name(self.place(0)).is_some_and(|name| !name.is_empty()) || self.is_held_back(out)
    }

    /// Marks the call, if this is one, as run by the provider.
    pub(super) fn mark_provider_run(&mut self, out: &mut Builder) {
        if let (Role::Call(_), Some(tape)) = (self.role, self.raw(out).document()) {
            self.finish_provider_run(tape.root(), out);
        }
    }

    /// Reads the complete item. If it is a call, the provider ran it.
    pub(super) fn finish_provider_run(&mut self, item: Value<'_>, out: &mut Builder) {
        if let Role::Call(_) = self.role {
            out.withdraw_call(self.place(0), "the provider has run it itself");
            (self.role, self.stage) = (Role::Part, Stage::Done);
            self.update(item, out);
            self.emit_part(out);
        }
        self.finish(item, false, out);
    }

    /// Starts the call with the arguments that the item already has.
    pub(super) fn start_call(&mut self, tool: &'static ClientTool, item: Value<'_>, out: &mut Builder) {
        // The id of a tool search changes until the item is complete.
        let id = call_id(item).filter(|_| tool.item != "tool_search_call");
        tool.open(self.place(0), id, item, out);
        read_call_signature(item, self.place(0), out);
        let field = STREAMED_FIELDS.iter().find(|field| field.item == tool.item && field.leaf.is_empty());
        let Some(field) = field.filter(|_| arguments_at(self.place(0), out).is_empty()) else { return };
        let text = item.get_non_empty(field.member);
        // A placeholder stays in the item; the call waits for the real arguments.
        if let Some(text) = text.filter(|text| field.member != "arguments" || !is_placeholder(text)) {
            self.emit(field, 0, &Fragment::from(text), out);
            self.echo = Echo::new(text);
        }
    }

    /// Whether `item` is another call, not the same one with a new id: some servers make up ids each time.
    pub(super) fn is_another_call(&self, id: Option<&str>, item: Value<'_>, out: &Builder) -> bool {
        let has_other_id = id.is_some() && self.call_id.is_some() && self.call_id.as_deref() != id;
        has_other_id && !matches!(self.role, Role::Call(tool) if tool.is_same(self.place(0), item, out))
    }

    /// Whether `item` is this call with more arguments: `LocalAI` ends a call with the arguments so far, and makes up
    /// other ids for all of them.
    /// <https://github.com/mudler/LocalAI/blob/master/core/http/endpoints/openresponses/responses.go>
    pub(super) fn has_grown_to(&self, item: Value<'_>, out: &Builder) -> bool {
        let Role::Call(tool) = self.role else { return false };
        let place = self.place(0);
        out.call_name(place) == tool.name(item)
            && tool.arguments(item).is_some_and(|whole| out.may_grow_to(place, &whole))
    }
}

/// Whether this is a call of a custom tool without its input.
pub(super) fn lacks_input(item: Value<'_>) -> bool {
    item.get("type").is_some_and(|kind| kind.is("custom_tool_call")) && item.get("input").is_none_or(is_empty)
}

/// Returns the call with these arguments, if it has none or a placeholder.
pub(super) fn with_arguments(raw: &RawJson, arguments: &str) -> Option<RawJson> {
    let tape = raw.document()?;
    if let Some(known) = tape.root().get("arguments").filter(|known| !is_empty(*known)) {
        known.text().filter(|known| is_placeholder(known))?;
    }
    let mut item = Object::default();
    item.put_all(tape.root());
    item.set("arguments", RawJson::string(arguments));
    Some(RawJson::of(&item))
}
