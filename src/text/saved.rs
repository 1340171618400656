//! Saves the state of an extractor. References into static tables are coded as text, or as an index in [`ROWS`].

use super::extractor::code::QUOTATIONS;
use super::formats::dialect::{Dialect, FUNCTION};
use super::formats::style::{LINE, Style};
use super::formats::{Body, CLOSERS, MESSAGE, REASONING, ROWS, Row};
use super::options::{Shared, TextOptions};
use crate::collect::Collect;
use crate::hash::fnv1a;
use crate::save::{Coder, State};

/// Returns a hash of the tables. Saved indices are valid only if it is the same.
fn tables() -> u32 {
    let rows = ROWS.iter().flat_map(|row| [row.format, row.opener]);
    let bytes = rows.chain(CLOSERS.iter().copied()).flat_map(|text| text.bytes().chain([0]));
    fnv1a(bytes)
}

impl State for Shared<TextOptions> {
    fn blank() -> Self {
        Self::default()
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        let TextOptions { tools, rows, tags, is_open, leads: _, seconds: _, rows_of: _ } = &**self;
        let place_of = |row: &&Row| ROWS.iter().position(|other| other == *row);
        let mut places = rows.iter().filter_map(place_of).collect_vec();
        let (mut hash, mut tools, mut tags, mut is_open) = (tables(), tools.clone(), tags.clone(), *is_open);
        hash.code(coder);
        tools.code(coder);
        places.code(coder);
        tags.code(coder);
        is_open.code(coder);
        if coder.is_loading() {
            let rows = places.iter().filter_map(|place| ROWS.get(*place)).collect_vec();
            coder.check(hash == tables() && rows.len() == places.len());
            *self = Self::new(TextOptions::with_leads(tools, rows, tags, is_open));
        }
    }
}

/// Codes a part of a row's body as the index of the first row that contains it.
fn code_row_part<T>(value: &mut &'static T, of: impl Fn(Body) -> Option<&'static T>, coder: &mut Coder<'_>) {
    let is_match = |row: &Row| of(row.body).is_some_and(|other| std::ptr::eq(other, *value));
    let mut place = ROWS.iter().position(is_match).unwrap_or_default();
    place.code(coder);
    match ROWS.get(place).and_then(|row| of(row.body)) {
        Some(found) => *value = found,
        None => coder.fail(),
    }
}

/// The grammar of calls with tags.
impl State for &'static Dialect {
    fn blank() -> Self {
        &FUNCTION
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        let of = |body| if let Body::Tags(dialect) = body { Some(dialect) } else { None };
        code_row_part(self, of, coder);
    }
}

/// The grammar of calls with a name and one literal.
impl State for &'static Style {
    fn blank() -> Self {
        &LINE
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        let of = |body| if let Body::Name(style) = body { Some(style) } else { None };
        code_row_part(self, of, coder);
    }
}

/// A marker, or the name of a format.
pub(crate) mod word {
    use super::{CLOSERS, Coder, MESSAGE, QUOTATIONS, REASONING, ROWS};

    #[inline(never)]
    pub(in super::super) fn code(word: &mut &'static str, coder: &mut Coder<'_>) {
        let rows = ROWS.iter().flat_map(|row| [row.format, row.opener]);
        let pairs = REASONING.iter().chain(&QUOTATIONS).flat_map(|(opener, closer)| [*opener, *closer]);
        coder.one_of(word, rows.chain(pairs).chain([MESSAGE.1]).chain(CLOSERS.iter().copied()));
    }
}

/// A format with the marker that was found.
pub(crate) mod words {
    use super::{Coder, word};

    pub(in super::super) fn code(words: &mut Option<(&'static str, &'static str)>, coder: &mut Coder<'_>) {
        if coder.flag(words.is_some()) {
            let (format, mark) = words.get_or_insert_default();
            word::code(format, coder);
            word::code(mark, coder);
        }
    }
}
