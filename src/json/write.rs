//! Writes values as JSON text.
//!
//! The types of this crate also implement [`serde::Serialize`], for Rust programs. The WebAssembly module uses this
//! trait instead, because serde's code would be a tenth of the compressed module. A test checks that both agree.

use crate::json::lanes::{byte, end_of_plain};
use crate::json::string::push_range;
use crate::json::{Object, RawJson};

/// A value that can be written as JSON.
pub trait ToJson {
    /// Appends the value as JSON text.
    fn write_json(&self, out: &mut String);
}

/// Returns a value as JSON text.
///
/// ```
/// assert_eq!(respool::json::to_json(&vec!["a\n".to_owned(), "é".to_owned()]), r#"["a\n","é"]"#);
/// ```
pub fn to_json<T: ToJson + ?Sized>(value: &T) -> String {
    let mut out = String::new();
    value.write_json(&mut out);
    out
}

/// Writes the members of an object, one after the other.
pub(crate) struct ObjectWriter<'a> {
    out: &'a mut String,
    is_empty: bool,
}

impl<'a> ObjectWriter<'a> {
    pub(crate) fn new(out: &'a mut String) -> Self {
        out.push('{');
        Self { out, is_empty: true }
    }

    /// Writes a member.
    #[inline(never)]
    pub(crate) fn member(&mut self, name: &str, value: &dyn ToJson) -> &mut Self {
        if !self.is_empty {
            self.out.push(',');
        }
        self.is_empty = false;
        name.write_json(self.out);
        self.out.push(':');
        value.write_json(self.out);
        self
    }

    /// Writes a member unless it is `None`.
    pub(crate) fn optional<T: ToJson>(&mut self, name: &str, value: Option<&T>) -> &mut Self {
        match value {
            Some(value) => self.member(name, value),
            None => self,
        }
    }

    /// Writes a list unless it is empty.
    pub(crate) fn non_empty<T: ToJson>(&mut self, name: &str, list: &[T]) -> &mut Self {
        if list.is_empty() { self } else { self.member(name, &list) }
    }

    pub(crate) fn end(&mut self) {
        self.out.push('}');
    }
}

/// Writes an array.
pub(crate) fn write_list<T>(
    items: impl Iterator<Item = T>,
    out: &mut String,
    mut write: impl FnMut(T, &mut String),
) {
    out.push('[');
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(']');
}

impl ToJson for str {
    fn write_json(&self, out: &mut String) {
        out.reserve(self.len() + 2);
        out.push('"');
        let mut at = 0;
        loop {
            let end = end_of_plain(self.as_bytes(), at);
            push_range(self, at, end, out);
            if end >= self.len() {
                break;
            }
            push_escape(byte(self.as_bytes(), end), out);
            at = end + 1;
        }
        out.push('"');
    }
}

/// Writes the escape of a character that a string can't contain unescaped.
pub(crate) fn push_escape(byte: u8, out: &mut String) {
    match byte {
        b'"' => out.push_str("\\\""),
        b'\\' => out.push_str("\\\\"),
        b'\n' => out.push_str("\\n"),
        b'\r' => out.push_str("\\r"),
        b'\t' => out.push_str("\\t"),
        0x8 => out.push_str("\\b"),
        0xc => out.push_str("\\f"),
        code => push_unit(u16::from(code), out),
    }
}

/// Writes the `\u` escape of a UTF-16 code unit.
pub(crate) fn push_unit(unit: u16, out: &mut String) {
    out.push_str("\\u");
    for shift in [12, 8, 4, 0] {
        out.push(char::from_digit(u32::from(unit >> shift & 0xf), 16).unwrap_or('0'));
    }
}

impl ToJson for String {
    fn write_json(&self, out: &mut String) {
        self.as_str().write_json(out);
    }
}

impl ToJson for u64 {
    fn write_json(&self, out: &mut String) {
        if *self > 9 {
            (self / 10).write_json(out);
        }
        out.push(char::from(b'0' + (self % 10) as u8));
    }
}

impl ToJson for u32 {
    fn write_json(&self, out: &mut String) {
        u64::from(*self).write_json(out);
    }
}

impl ToJson for bool {
    fn write_json(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl ToJson for RawJson {
    fn write_json(&self, out: &mut String) {
        out.push_str(self.get());
    }
}

impl<T: ToJson> ToJson for [T] {
    fn write_json(&self, out: &mut String) {
        write_list(self.iter(), out, T::write_json);
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn write_json(&self, out: &mut String) {
        self.as_slice().write_json(out);
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn write_json(&self, out: &mut String) {
        match self {
            Some(value) => value.write_json(out),
            None => out.push_str("null"),
        }
    }
}

impl<T: ToJson + ?Sized> ToJson for &T {
    fn write_json(&self, out: &mut String) {
        (**self).write_json(out);
    }
}

impl ToJson for Object {
    fn write_json(&self, out: &mut String) {
        let mut object = ObjectWriter::new(out);
        for (name, member) in self.members() {
            object.member(name, member);
        }
        object.end();
    }
}
