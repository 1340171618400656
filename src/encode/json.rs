//! Writes JSON directly into a string, without building values.

use crate::collect::Collect;
use crate::json::{RawJson, ToJson, compact, write_list};

/// Writes an object with these members.
macro_rules! object {
    ($out:expr, $($name:literal: $value:expr),* $(,)?) => {{
        let mut object = crate::json::ObjectWriter::new($out);
        $( object.member($name, $value); )*
        object.end();
    }};
}
pub(super) use object;

/// A value that a function writes.
pub(super) struct Nested<F: Fn(&mut String)>(pub(super) F);

impl<F: Fn(&mut String)> ToJson for Nested<F> {
    fn write_json(&self, out: &mut String) {
        (self.0)(out);
    }
}

/// A value that is JSON already, on one line.
pub(super) struct Json<'a>(pub(super) &'a str);

impl ToJson for Json<'_> {
    fn write_json(&self, out: &mut String) {
        out.push_str(self.0);
    }
}

pub(super) const NULL: Json<'static> = Json("null");
pub(super) const EMPTY_LIST: Json<'static> = Json("[]");

/// JSON of the arguments of a call without arguments.
pub(super) const NO_ARGUMENTS: &str = "{}";

/// Writes a list of a provider's values, on one line.
pub(super) fn list_of_raw<'a>(items: impl Iterator<Item = &'a RawJson>) -> String {
    list(&items.map(|item| compact(item.get()).into_owned()).collect_vec())
}

/// Returns a provider's value as JSON on one line, as events need it.
pub(super) fn one_line(raw: &RawJson) -> RawJson {
    RawJson::valid(compact(raw.get()))
}

/// Writes a list whose items are JSON already.
pub(super) fn list(items: &[String]) -> String {
    let mut out = String::new();
    write_list(items.iter(), &mut out, |item, out| out.push_str(item));
    out
}
