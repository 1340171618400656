//! How a search is saved: what stands in tables, by its text or by its place in [`ROWS`].

use super::calls::MESSAGE;
use super::code::QUOTATIONS;
use super::dialect::{Dialect, FUNCTION};
use super::formats::{Body, REASONING, ROWS, Row};
use super::named::{LINE, Style};
use super::options::{Shared, TextOptions};
use super::tools::Tools;
use crate::save::{Reader, State, Writer};

/// The FNV-1a hash of the tables. Places in them are only right where they are the same.
fn tables() -> u32 {
    let rows = ROWS.iter().flat_map(|row| [row.format, row.opener]);
    let bytes = rows.flat_map(|text| text.bytes().chain([0]));
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

impl State for TextOptions {
    fn save(&self, to: &mut Writer) {
        let Self { tools, rows, tags, is_open, leads: _, seconds: _, rows_of: _ } = self;
        tables().save(to);
        tools.save(to);
        let place_of = |row: &&Row| ROWS.iter().position(|other| other == *row);
        let places: Vec<usize> = rows.iter().filter_map(place_of).collect();
        places.save(to);
        tags.save(to);
        is_open.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Self {
        if u32::load(from) != tables() {
            from.fail();
        }
        let tools = Tools::load(from);
        let places = Vec::<usize>::load(from);
        let rows: Vec<&'static Row> = places.iter().filter_map(|place| ROWS.get(*place)).collect();
        if rows.len() < places.len() {
            from.fail();
        }
        Self::with_leads(tools, rows, State::load(from), State::load(from))
    }
}

impl State for Shared<TextOptions> {
    fn save(&self, to: &mut Writer) {
        (**self).save(to);
    }

    fn load(from: &mut Reader<'_>) -> Self {
        Self::new(TextOptions::load(from))
    }
}

/// The first row whose body is this.
fn save_body(is_it: impl Fn(Body) -> bool, to: &mut Writer) {
    let place = ROWS.iter().position(|row| is_it(row.body)).unwrap_or_default();
    place.save(to);
}

fn load_body(from: &mut Reader<'_>) -> Option<Body> {
    ROWS.get(usize::load(from)).map(|row| row.body)
}

/// The grammar of a call with tags.
pub(super) mod dialect {
    use super::{Body, Dialect, FUNCTION, Reader, Writer, load_body, save_body};

    pub(in super::super) fn save(dialect: &'static Dialect, to: &mut Writer) {
        save_body(|body| matches!(body, Body::Tags(other) if std::ptr::eq(other, dialect)), to);
    }

    pub(in super::super) fn load(from: &mut Reader<'_>) -> &'static Dialect {
        match load_body(from) {
            Some(Body::Tags(dialect)) => dialect,
            _ => from.or(None, &FUNCTION),
        }
    }
}

/// The grammar of a call with a name and one literal.
pub(super) mod style {
    use super::{Body, LINE, Reader, Style, Writer, load_body, save_body};

    pub(in super::super) fn save(style: &'static Style, to: &mut Writer) {
        save_body(|body| matches!(body, Body::Name(other) if std::ptr::eq(other, style)), to);
    }

    pub(in super::super) fn load(from: &mut Reader<'_>) -> &'static Style {
        match load_body(from) {
            Some(Body::Name(style)) => style,
            _ => from.or(None, &LINE),
        }
    }
}

/// A mark in the text, or the name of a format.
pub(super) mod word {
    use super::{MESSAGE, QUOTATIONS, REASONING, ROWS, Reader, Writer};

    pub(in super::super) fn save(word: &'static str, to: &mut Writer) {
        to.bytes(word.as_bytes());
    }

    pub(in super::super) fn load(from: &mut Reader<'_>) -> &'static str {
        let rows = ROWS.iter().flat_map(|row| [row.format, row.opener]);
        let pairs = REASONING.iter().chain(&QUOTATIONS).flat_map(|(opener, closer)| [*opener, *closer]);
        from.one_of(rows.chain(pairs).chain([MESSAGE]))
    }
}

/// A format, and the mark that stood for it.
pub(super) mod words {
    use super::{Reader, State, Writer, word};

    pub(in super::super) fn save(words: Option<(&'static str, &'static str)>, to: &mut Writer) {
        words.is_some().save(to);
        if let Some((format, mark)) = words {
            word::save(format, to);
            word::save(mark, to);
        }
    }

    pub(in super::super) fn load(from: &mut Reader<'_>) -> Option<(&'static str, &'static str)> {
        bool::load(from).then(|| (word::load(from), word::load(from)))
    }
}
