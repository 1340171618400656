//! Streams of events that repeat each other, exactly or nearly.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::changes::{Damage, Edit, damage, edit};
use super::layouts::Interface;

/// Events of a few kinds, interleaved.
#[derive(Debug, Clone)]
pub(super) struct Events {
    /// Whether the stream has the usual first events.
    has_first: bool,
    kinds: Vec<Kind>,
    pieces: Vec<Piece>,
}

/// A layout, with a change that all of its events have.
#[derive(Debug, Clone)]
struct Kind {
    layout: Layout,
    edit: Option<Edit>,
}

#[derive(Debug, Clone)]
enum Layout {
    Repeated(Index),
    Between(Index),
    /// Something that isn't an event of any interface.
    Raw(&'static str),
}

/// One event.
#[derive(Debug, Clone)]
struct Piece {
    kind: Index,
    text: Vec<u8>,
    number: String,
    padding: &'static str,
    /// How it differs from the previous events.
    edit: Option<Edit>,
    damage: Option<Damage>,
}

/// How events are serialised.
#[derive(Debug, Clone, Copy)]
pub(super) enum Framing {
    /// Server-sent events: the line break, whether they have names, and the text before each event.
    Sse { eol: &'static str, is_named: bool, data: &'static str },
    /// One event per line.
    Lines(&'static str),
}

/// Contents of JSON strings, valid and invalid.
const TEXTS: &[&[u8]] = &[
    b"",
    b"",
    b" a",
    b"\\n",
    b"\\\"",
    b"\\\\",
    b"\\u00e9",
    b"\\ud83d",
    b"\\ude00",
    b"\\ud83d\\ude00",
    b"\\ude00\\ud83d",
    b"x\\ud83d",
    b"\\ude00y",
    b"\\u0000",
    b"\\/",
    "\u{feff}".as_bytes(),
    "é😀日".as_bytes(),
    b"\x01",
    b"\n",
    b"\xff",
    b"\xf0\x9f",
    b"\x98\x80",
    b"\\x",
    b"\\u12",
    b"\"",
    b"\"}",
    b"{\\\"a\\\":",
    b"1,2]}",
    b"\\",
    b"\\u2028",
    b"  ",
    b"\x7f",
];

const NUMBERS: &[&str] = &[
    "0",
    "007",
    "-5",
    "+1",
    "1.5",
    "1e3",
    "1.0",
    "999999999999999",
    "9999999999999999",
    "18446744073709551616",
    "",
    "-",
    "null",
    "\"7\"",
    "\"\\u0037\"",
    "\"\"",
    "true",
    "[]",
    "{}",
    " 7",
    "7 ",
];

const PADDINGS: &[&str] = &[
    "\"\"",
    "\"a\"",
    "\"dHJ\"",
    "\"0123456789abcdef\"",
    "\"é\"",
    "\"a\\n\"",
    "\"\\ud83d\"",
    "\"\\\"}\"",
    "\"a\u{1}\"",
    "\"\n\"",
    "\"\\x\"",
    "7",
    "null",
    "{}",
    "\"",
];

const RAW: &[&str] = &[
    ": comment\n\n",
    "event: ping\ndata: {\"type\":\"ping\"}\n\n",
    "data: [DONE]\n\n",
    "data:\n\n",
    "\n",
    "\n\n",
    "retry: 5\n\n",
    "id: 7\n",
    "event: error\ndata: broken\n\n",
    "data: {\"a\":\n\n",
    "data: {\ndata: }\n\n",
    "{\"a\":1}\n",
    "{",
    "garbage\n",
    "  ",
    "data: 5\n\n",
    "[]\n",
    "\u{feff}",
    "data: {\"object\":\"error\"}\n\n",
    "event: x\n",
];

const FRAMINGS: &[Framing] = &[
    Framing::Sse { eol: "\n", is_named: false, data: "data: " },
    Framing::Sse { eol: "\n", is_named: true, data: "data: " },
    Framing::Sse { eol: "\r\n", is_named: true, data: "data: " },
    Framing::Sse { eol: "\r", is_named: false, data: "data: " },
    Framing::Sse { eol: "\n", is_named: false, data: "data:" },
    Framing::Sse { eol: "\n", is_named: false, data: "id: 7\ndata: " },
    Framing::Sse { eol: "\n", is_named: false, data: "  data: " },
    Framing::Lines("\n"),
    Framing::Lines("\r\n"),
    Framing::Lines(""),
    Framing::Lines(" "),
];

pub(super) fn framing() -> impl Strategy<Value = Framing> {
    select(FRAMINGS)
}

pub(super) fn events() -> impl Strategy<Value = Events> {
    let layout = prop_oneof![
        7 => any::<Index>().prop_map(Layout::Repeated),
        2 => any::<Index>().prop_map(Layout::Between),
        1 => select(RAW).prop_map(Layout::Raw),
    ];
    let kind = (layout, rarely(5, edit())).prop_map(|(layout, edit)| Kind { layout, edit });
    (any::<bool>(), prop::collection::vec(kind, 1..5), prop::collection::vec(piece(), 1..24))
        .prop_map(|(has_first, kinds, pieces)| Events { has_first, kinds, pieces })
}

/// Rarely generates a value.
fn rarely<T: std::fmt::Debug + Clone>(
    often: u32,
    rare: impl Strategy<Value = T>,
) -> impl Strategy<Value = Option<T>> {
    prop_oneof![often - 1 => Just(None), 1 => rare.prop_map(Some)]
}

fn piece() -> impl Strategy<Value = Piece> {
    let odd = prop::collection::vec(select(TEXTS), 1..4).prop_map(|parts| parts.concat());
    let text = prop_oneof![
        8 => "[a-z ]{1,20}".prop_map(String::into_bytes),
        6 => odd,
        1 => (500_usize..20_000).prop_map(|length| vec![b'x'; length]),
    ];
    let number = prop_oneof![8 => (0_u64..2_000_000_000).prop_map(|n| n.to_string()), 1 => Just("0".to_owned()), 1 => select(NUMBERS).prop_map(str::to_owned)];
    let padding = prop_oneof![3 => select(&PADDINGS[..3]), 1 => select(PADDINGS)];
    (any::<Index>(), text, number, padding, rarely(20, edit()), rarely(20, damage())).prop_map(
        |(kind, text, number, padding, edit, damage)| Piece { kind, text, number, padding, edit, damage },
    )
}

impl Events {
    /// Returns the records of a stream.
    pub(super) fn records(&self, interface: &Interface, framing: Framing) -> Vec<Vec<u8>> {
        let first = if self.has_first { interface.first } else { &[] };
        let values: [(&str, &[u8]); 3] = [("@", b""), ("#", b"7"), ("%", b"null")];
        let first = first.iter().map(|layout| framing.write(layout, &values));
        first.chain(self.pieces.iter().map(|piece| self.record(piece, interface, framing))).collect()
    }

    fn record(&self, piece: &Piece, interface: &Interface, framing: Framing) -> Vec<u8> {
        let kind = piece.kind.get(&self.kinds);
        let layout = match &kind.layout {
            Layout::Repeated(index) => *index.get(interface.repeated),
            Layout::Between(index) => *index.get(interface.between),
            Layout::Raw(raw) => return raw.replace('\n', framing.eol()).into_bytes(),
        };
        let layout = Edit::apply(piece.edit.as_ref(), &Edit::apply(kind.edit.as_ref(), layout));
        let values = [("@", &*piece.text), ("#", piece.number.as_bytes()), ("%", piece.padding.as_bytes())];
        let mut record = framing.write(&layout, &values);
        if let Some(damage) = &piece.damage {
            damage.apply(&mut record);
        }
        record
    }
}

impl Framing {
    fn eol(self) -> &'static str {
        match self {
            Self::Sse { eol, .. } | Self::Lines(eol) => eol,
        }
    }

    fn write(self, layout: &str, values: &[(&str, &[u8])]) -> Vec<u8> {
        let (before, after) = match self {
            Self::Sse { eol, is_named, data } => {
                let kind = layout.split("\"type\":\"").nth(1).and_then(|rest| rest.split('"').next());
                let name = kind.filter(|_| is_named).map(|kind| format!("event: {kind}{eol}"));
                (name.unwrap_or_default() + &data.replace('\n', eol), eol.repeat(2))
            }
            Self::Lines(eol) => (String::new(), eol.to_owned()),
        };
        let mut record = before.into_bytes();
        let mut rest = layout;
        while let Some(at) = rest.find(['@', '#', '%']) {
            record.extend_from_slice(&rest.as_bytes()[..at]);
            let value = values.iter().find(|(mark, _)| rest[at..].starts_with(mark));
            record.extend_from_slice(value.unwrap().1);
            rest = &rest[at + 1..];
        }
        record.extend_from_slice(rest.as_bytes());
        record.extend_from_slice(after.as_bytes());
        record
    }
}
