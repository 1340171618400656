//! Emits the values of a JSON text while it arrives.

use serde::Serialize;

use crate::json::progress::{At, Text, is_space};
use crate::json::string::{end_of_plain, unescaped};
use crate::json::{Progress, ProgressState, ToJson};
use crate::save::state;

/// Maximum weight of a path: its keys in bytes, and 16 for each step. A value under a heavier path is emitted as a
/// whole; otherwise a deep document, or one with many values under a long key, would take quadratic time.
const MAX_WEIGHT: usize = 1024;

/// Minimum weight of a step.
const STEP_WEIGHT: usize = 16;

/// One step of the path from the outermost value to an inner one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PathStep {
    /// The member of this name.
    Key(String),
    /// The item at this index.
    Index(u32),
}

state! { enum PathStep { 0 Key(key), 1 Index(index) } }

impl ToJson for PathStep {
    fn write_json(&self, out: &mut String) {
        match self {
            Self::Key(key) => key.write_json(out),
            Self::Index(index) => index.write_json(out),
        }
    }
}

/// News about the value at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartialEvent<'a> {
    /// An object begins.
    Object,
    /// An array begins.
    Array,
    /// A string begins or continues.
    String {
        /// The next piece of the string, unescaped; may be empty. A lone surrogate is replaced with U+FFFD.
        text: &'a str,
        /// Whether the string begins with this piece.
        is_first: bool,
        /// Whether the string ends with this piece.
        done: bool,
    },
    /// A value that is emitted as a whole: a number, a boolean, null, or any value under a very heavy path.
    Whole {
        /// Its JSON text.
        json: &'a str,
    },
    /// The object or array at this path ends.
    End,
}

/// Receives the path of a value, and the event.
type Emit<'a> = dyn FnMut(&[PathStep], PartialEvent<'_>) + 'a;

/// Emits the values of a JSON text that arrives in pieces, split anywhere, as they become known.
///
/// The parser looks at each byte once. It stores the path and, of the text, at most a number, an escape, or a value
/// under a path of more than 64 steps or 1 KB. A duplicate key is emitted again, and the last value counts. The parser
/// accepts the same JSON as [`Progress`].
///
/// ```
/// use respool::json::PartialParser;
///
/// let mut parser = PartialParser::default();
/// let mut emitted = Vec::new();
/// for piece in [r#"{"city": "Par"#, r#"is", "days": [1"#, r#"2]}"#] {
///     parser.push(piece, &mut |path, event| emitted.push(format!("{path:?} {event:?}")));
/// }
/// assert_eq!(emitted, [
///     r#"[] Object"#,
///     r#"[Key("city")] String { text: "Par", is_first: true, done: false }"#,
///     r#"[Key("city")] String { text: "is", is_first: false, done: true }"#,
///     r#"[Key("days")] Array"#,
///     r#"[Key("days"), Index(0)] Whole { json: "12" }"#,
///     r#"[Key("days")] End"#,
///     r#"[] End"#,
/// ]);
/// ```
#[derive(Debug, Clone)]
pub struct PartialParser {
    progress: Progress,
    /// Path of the value that is being read: one step for each open array and object that is emitted.
    path: Vec<PathStep>,
    weight: usize,
    max_weight: usize,
    /// Whether a string is open that is emitted.
    in_string: bool,
    /// Whether a piece of the string was emitted.
    has_begun: bool,
    /// Text of the string that wasn't emitted yet.
    piece: String,
    /// The digits of a `\u` escape so far.
    unit: u16,
    /// A high surrogate, which a low one may follow.
    high: Option<u16>,
    /// Number of arrays and objects around the value that will be emitted as a whole.
    whole: Option<usize>,
    /// The text of that value so far.
    raw: String,
    /// Length of the text up to the end of what was emitted.
    kept: u64,
}

state! { struct PartialParser {
    progress, path, weight, max_weight, in_string, has_begun, piece, unit, high, whole, raw, kept,
} }

impl Default for PartialParser {
    fn default() -> Self {
        Self::new(MAX_WEIGHT)
    }
}

impl PartialParser {
    fn new(max_weight: usize) -> Self {
        Self {
            progress: Progress::default(),
            path: Vec::new(),
            weight: 0,
            max_weight,
            in_string: false,
            has_begun: false,
            piece: String::new(),
            unit: 0,
            high: None,
            whole: None,
            raw: String::new(),
            kept: 0,
        }
    }

    /// Returns the state of the text so far.
    pub fn state(&self) -> ProgressState {
        self.progress.state()
    }

    /// Whether anything was emitted.
    pub fn has_emitted(&self) -> bool {
        self.kept > 0
    }

    /// Reads the next piece, and emits what becomes known. Adjacent text of one string is emitted as one piece. After
    /// an error, nothing more is emitted.
    pub fn push(&mut self, text: &str, emit: &mut dyn FnMut(&[PathStep], PartialEvent<'_>)) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while self.progress.at != At::Invalid {
            if let At::String(kind) = self.progress.at {
                let end = end_of_plain(bytes, at);
                self.push_plain(kind, text.get(at..end).unwrap_or_default());
                at = end;
            }
            let Some(&byte) = bytes.get(at) else { break };
            at += self.take_byte(byte, emit);
        }
        self.emit_piece(false, emit);
    }

    /// Ends the text, and emits a number, boolean or null that is the whole text.
    pub fn finish(&mut self, emit: &mut dyn FnMut(&[PathStep], PartialEvent<'_>)) {
        self.progress.end();
        if self.whole.is_some() && self.progress.at == At::End {
            self.emit_whole(emit);
        }
    }

    /// Reads the next byte. Returns 1, or 0 if the byte has to be read again.
    fn take_byte(&mut self, byte: u8, emit: &mut Emit<'_>) -> usize {
        let (before, depth) = (self.progress.at, self.progress.depth());
        let taken = self.progress.advance(byte);
        self.progress.offset += taken as u64;
        if self.progress.at == At::Invalid {
            return taken;
        }
        if let Some(around) = self.whole {
            if taken > 0 {
                self.raw.push(char::from(byte));
            }
            // The outermost value is only emitted at the end: "12 months" isn't a number.
            if around > 0 && self.progress.depth() == around && self.progress.is_after_value() {
                self.emit_whole(emit);
            }
            return taken;
        }
        match (before, byte) {
            (_, byte) if is_space(byte) => {}
            (At::FirstItem | At::AfterItem, b']') | (At::FirstName | At::AfterMember, b'}') => {
                self.clear_key();
                self.path.pop();
                // A damaged saved state may have any weight.
                self.weight = self.weight.saturating_sub(STEP_WEIGHT);
                self.emit(PartialEvent::End, emit);
            }
            (At::Start | At::Value | At::FirstItem, _) => self.begin(byte, depth, emit),
            (At::AfterItem, _) => {
                if let Some(PathStep::Index(index)) = self.path.last_mut() {
                    *index = index.saturating_add(1);
                }
            }
            (At::FirstName | At::Name, _) => self.clear_key(),
            (At::String(Text::Name), b'"') => {
                self.replace_high_surrogate(Text::Name);
                if let Some(PathStep::Key(key)) = self.path.last() {
                    self.weight = self.weight.saturating_add(key.len());
                }
            }
            (At::String(Text::Value), b'"') => {
                self.replace_high_surrogate(Text::Value);
                self.kept = self.progress.offset;
                self.emit_piece(true, emit);
                self.in_string = false;
            }
            (At::Escape(_), b'u') => self.unit = 0,
            (At::Escape(kind), _) => self.push_char(kind, unescaped(byte)),
            (At::Hex { kind, left }, _) => {
                let digit = char::from(byte).to_digit(16).unwrap_or_default();
                self.unit = self.unit << 4 | digit as u16;
                if left == 1 {
                    self.push_unit(kind);
                }
            }
            _ => {}
        }
        taken
    }

    /// Begins a value with this byte, inside `depth` arrays and objects.
    fn begin(&mut self, byte: u8, depth: usize, emit: &mut Emit<'_>) {
        match byte {
            b'"' | b'[' | b'{' if self.weight > self.max_weight => self.whole = Some(depth),
            b'"' => {
                (self.in_string, self.has_begun) = (true, false);
                self.kept = self.progress.offset;
                return;
            }
            b'{' => {
                self.emit(PartialEvent::Object, emit);
                return self.enter_value(PathStep::Key(String::new()));
            }
            b'[' => {
                self.emit(PartialEvent::Array, emit);
                return self.enter_value(PathStep::Index(0));
            }
            _ => self.whole = Some(depth),
        }
        self.raw.push(char::from(byte));
    }

    fn enter_value(&mut self, step: PathStep) {
        self.path.push(step);
        self.weight = self.weight.saturating_add(STEP_WEIGHT);
    }

    /// Leaves the member whose key is the last step of the path.
    fn clear_key(&mut self) {
        if let Some(PathStep::Key(key)) = self.path.last_mut() {
            self.weight = self.weight.saturating_sub(key.len());
            key.clear();
        }
    }

    fn emit(&mut self, event: PartialEvent<'_>, emit: &mut Emit<'_>) {
        self.kept = self.progress.offset;
        emit(&self.path, event);
    }

    fn emit_whole(&mut self, emit: &mut Emit<'_>) {
        self.whole = None;
        self.kept = self.progress.offset;
        emit(&self.path, PartialEvent::Whole { json: &self.raw });
        self.raw.clear();
    }

    /// Emits the pending text of the open string.
    fn emit_piece(&mut self, done: bool, emit: &mut Emit<'_>) {
        if !self.in_string || (self.has_begun && self.piece.is_empty() && !done) {
            return;
        }
        emit(&self.path, PartialEvent::String { text: &self.piece, is_first: !self.has_begun, done });
        self.piece.clear();
        self.has_begun = true;
    }

    /// Reads text of a string without escapes.
    fn push_plain(&mut self, kind: Text, text: &str) {
        self.progress.offset += text.len() as u64;
        if self.whole.is_some() {
            self.raw.push_str(text);
        } else if !text.is_empty() {
            self.replace_high_surrogate(kind);
            self.string(kind).push_str(text);
        }
    }

    fn push_char(&mut self, kind: Text, character: char) {
        self.replace_high_surrogate(kind);
        self.string(kind).push(character);
    }

    /// Adds the UTF-16 unit of a `\u` escape that has just ended.
    fn push_unit(&mut self, kind: Text) {
        let unit = self.unit;
        let both = self.high.and_then(|high| char::decode_utf16([high, unit]).next()?.ok());
        match (both, char::from_u32(u32::from(unit))) {
            (Some(both), _) => {
                self.high = None;
                self.string(kind).push(both);
            }
            (None, Some(character)) => self.push_char(kind, character),
            (None, None) => {
                self.replace_high_surrogate(kind);
                self.high = Some(unit);
            }
        }
    }

    /// Replaces a high surrogate that no low one has followed.
    fn replace_high_surrogate(&mut self, kind: Text) {
        if self.high.take().is_some() {
            self.string(kind).push(char::REPLACEMENT_CHARACTER);
        }
    }

    /// Returns the string that is being read: a value, or the key.
    fn string(&mut self, kind: Text) -> &mut String {
        if kind == Text::Value {
            self.kept = self.progress.offset;
        }
        match self.path.last_mut() {
            Some(PathStep::Key(key)) if kind == Text::Name => key,
            _ => &mut self.piece,
        }
    }
}

/// How to close the beginning of a JSON text. See [`close_partial`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedText {
    /// The state of the text.
    pub state: ProgressState,
    /// Number of bytes of the text to keep; 0 if nothing is known of its value.
    pub kept: usize,
    /// The text to append to these bytes.
    pub closing: String,
}

/// Closes the open strings, arrays and objects of an incomplete JSON text. The kept bytes and the closing together are
/// valid JSON with the values known so far. If the text is invalid, these are the values before the error.
///
/// In an array or object, a number only counts if something follows that ends it, and a key only if part of its value
/// is known.
///
/// ```
/// use respool::json::close_partial;
///
/// let text = r#"{"days": [1, 2, 3"#;
/// let closed = close_partial(text);
/// assert_eq!(format!("{}{}", &text[..closed.kept], closed.closing), r#"{"days": [1, 2]}"#);
/// ```
pub fn close_partial(text: &str) -> ClosedText {
    let mut parser = PartialParser::new(usize::MAX);
    let emit: &mut Emit<'_> = &mut |_, _| {};
    parser.push(text, emit);
    parser.finish(emit);
    let state = parser.state();
    let mut closing = String::new();
    if parser.in_string {
        closing.push('"');
    }
    closing.extend(parser.path.iter().rev().map(|step| match step {
        PathStep::Key(_) => '}',
        PathStep::Index(_) => ']',
    }));
    ClosedText { state, kept: usize::try_from(parser.kept).unwrap_or_default(), closing }
}
