//! The states of reading a JSON text.

use crate::save::state;

/// A position in the grammar of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::json) enum At {
    /// Before the outermost value.
    Start,
    /// Before a value that is required.
    Value,
    /// After `[`.
    FirstItem,
    /// After `{`.
    FirstName,
    /// After a comma in an object.
    Name,
    /// After the name of a member.
    Colon,
    AfterItem,
    AfterMember,
    String(Text),
    /// After a backslash.
    Escape(Text),
    /// After `\u`, with `left` digits to come.
    Hex {
        kind: Text,
        left: u8,
    },
    Number(Number),
    Word {
        word: Word,
        read: u8,
    },
    /// After the outermost value.
    End,
    Invalid,
}

state! { enum At {
    0 Start, 1 Value, 2 FirstItem, 3 FirstName, 4 Name, 5 Colon, 6 AfterItem, 7 AfterMember, 8 String(kind),
    9 Escape(kind), 10 Hex { kind, left }, 11 Number(number), 12 Word { word, read }, 13 End, 14 Invalid,
} }

/// The role of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::json) enum Text {
    Name,
    Value,
}

state! { enum Text { 0 Name, 1 Value } }

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::json) enum Word {
    True,
    False,
    Null,
}

state! { enum Word { 0 True, 1 False, 2 Null } }

impl Word {
    pub(super) fn text(self) -> &'static [u8] {
        match self {
            Self::True => b"true",
            Self::False => b"false",
            Self::Null => b"null",
        }
    }
}

/// The part of a number that was read last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::json) enum Number {
    Minus,
    /// A leading zero, which no digit may follow.
    Zero,
    Whole,
    Point,
    Fraction,
    E,
    ESign,
    Exponent,
}

state! { enum Number { 0 Minus, 1 Zero, 2 Whole, 3 Point, 4 Fraction, 5 E, 6 ESign, 7 Exponent } }

impl Number {
    pub(super) fn can_end(self) -> bool {
        matches!(self, Self::Zero | Self::Whole | Self::Fraction | Self::Exponent)
    }

    /// Returns the state after this byte, if the byte belongs to the number.
    pub(super) fn next(self, byte: u8) -> Option<Self> {
        match (self, byte) {
            (Self::Minus, b'0') => Some(Self::Zero),
            (Self::Minus | Self::Whole, b'0'..=b'9') => Some(Self::Whole),
            (Self::Zero | Self::Whole, b'.') => Some(Self::Point),
            (Self::Point | Self::Fraction, b'0'..=b'9') => Some(Self::Fraction),
            (Self::Zero | Self::Whole | Self::Fraction, b'e' | b'E') => Some(Self::E),
            (Self::E, b'+' | b'-') => Some(Self::ESign),
            (Self::E | Self::ESign | Self::Exponent, b'0'..=b'9') => Some(Self::Exponent),
            _ => None,
        }
    }
}
