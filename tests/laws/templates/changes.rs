//! Changes that make an event differ slightly from the previous one.

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// A change that keeps the event valid JSON.
#[derive(Debug, Clone)]
pub(super) enum Edit {
    /// Adds or duplicates a member, before or after the other members of an object.
    Member { at: Index, is_last: bool, name: &'static str, value: &'static str },
    /// Adds white space after a structural character.
    Space(Index, &'static str),
    /// Swaps the first members of the event.
    Turn,
}

/// A change of a byte of a record.
#[derive(Debug, Clone)]
pub(super) enum Damage {
    Change(Index, u8),
    Insert(Index, u8),
    Delete(Index),
}

/// Known and unknown names.
const NAMES: &[&str] = &[
    "type",
    "id",
    "index",
    "created",
    "model",
    "choices",
    "delta",
    "content",
    "text",
    "role",
    "reasoning",
    "reasoning_content",
    "refusal",
    "tool_calls",
    "function",
    "arguments",
    "name",
    "finish_reason",
    "logprobs",
    "usage",
    "error",
    "obfuscation",
    "sequence_number",
    "item_id",
    "output_index",
    "content_index",
    "thinking",
    "partial_json",
    "mood",
    "object",
    "message",
    "service_tier",
    "",
];

const VALUES: &[&str] = &[
    "null",
    "null",
    "\"\"",
    "\"x\"",
    "\"\\u0061\"",
    "0",
    "1",
    "2.0",
    "true",
    "{}",
    "[]",
    "[1,{\"a\":null}]",
    "{\"x\":\"y\"}",
    "[{\"delta\":{\"content\":\"z\"}}]",
    "{\"content\":\"z\"}",
    "\"stop\"",
    "\"assistant\"",
    "1763680412",
];

pub(super) fn edit() -> impl Strategy<Value = Edit> {
    let member = (any::<Index>(), any::<bool>(), select(NAMES), select(VALUES));
    prop_oneof![
        4 => member.prop_map(|(at, is_last, name, value)| Edit::Member { at, is_last, name, value }),
        2 => (any::<Index>(), select(&[" ", "  ", "\t", "\n"][..])).prop_map(|(at, space)| Edit::Space(at, space)),
        1 => Just(Edit::Turn),
    ]
}

pub(super) fn damage() -> impl Strategy<Value = Damage> {
    let byte = || prop_oneof![any::<u8>(), select(&b"\"\\{}[],: 0aA\n\r\0"[..])];
    prop_oneof![
        (any::<Index>(), byte()).prop_map(|(at, byte)| Damage::Change(at, byte)),
        (any::<Index>(), byte()).prop_map(|(at, byte)| Damage::Insert(at, byte)),
        any::<Index>().prop_map(Damage::Delete),
    ]
}

impl Edit {
    pub(super) fn apply(edit: Option<&Self>, layout: &str) -> String {
        let mut edited = layout.to_owned();
        let marks = |marks: &[char]| layout.match_indices(marks).map(|(at, _)| at).collect::<Vec<_>>();
        match edit {
            Some(Self::Member { at, is_last, name, value }) if layout.contains('{') => {
                let at = at.get(&marks(&[if *is_last { '}' } else { '{' }])) + usize::from(!is_last);
                let (before, after) = (layout[..at].ends_with('{'), layout[at..].starts_with('}'));
                let (left, right) = (if before { "" } else { "," }, if after { "" } else { "," });
                edited.insert_str(at, &format!("{left}\"{name}\":{value}{right}"));
            }
            Some(Self::Space(at, space)) if layout.contains('{') => {
                edited.insert_str(at.get(&marks(&['{', '}', ',', ':', '[', ']'])) + 1, space);
            }
            Some(Self::Turn) => {
                let members: Vec<&str> = layout.trim_matches(['{', '}']).splitn(3, ',').collect();
                if let [first, second, rest] = members[..]
                    && !format!("{first}{second}").contains(['{', '['])
                {
                    edited = layout
                        .replace(&format!("{first},{second},{rest}"), &format!("{second},{rest},{first}"));
                }
            }
            _ => {}
        }
        edited
    }
}

impl Damage {
    pub(super) fn apply(&self, record: &mut Vec<u8>) {
        match self {
            Self::Change(at, byte) => {
                let at = at.index(record.len());
                record[at] = *byte;
            }
            Self::Insert(at, byte) => record.insert(at.index(record.len() + 1), *byte),
            Self::Delete(at) => {
                record.remove(at.index(record.len()));
            }
        }
    }
}
