//! Reusable memory for parsing.

use std::borrow::Cow;

use super::{Node, Tape};
use crate::json::parse::parse;
use crate::json::{Document, JsonError};

/// Memory for parsing one [`Document`] after another.
///
/// ```
/// use respool::json::TapeBuffer;
///
/// let mut buffer = TapeBuffer::new();
/// for event in [r#"{"text": "a"}"#, r#"{"text": "b"}"#] {
///     let document = buffer.parse(event, 64)?;
///     assert!(document.root().get("text").is_some());
/// }
/// # Ok::<(), respool::json::JsonError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct TapeBuffer {
    nodes: Vec<Node>,
    vectors: Vec<f64>,
    /// Number of nodes that belong to the text that was parsed last.
    count: usize,
}

impl TapeBuffer {
    /// Creates an empty buffer, which allocates nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Parses a text, as [`Document::parse`] does, and reuses the memory of the previous text.
    ///
    /// # Errors
    /// If the text isn't one JSON value with only white space around it.
    pub fn parse<'t>(&'t mut self, text: &'t str, max_depth: usize) -> Result<Document<'t>, JsonError> {
        self.count = 0;
        self.count = parse(text, max_depth, &mut self.nodes, &mut self.vectors)?;
        let vectors = Cow::Borrowed(&*self.vectors);
        Ok(Tape { bytes: text.as_bytes(), text, nodes: Cow::Borrowed(self.nodes()), vectors }.into())
    }

    /// Returns the nodes of the text that was parsed last.
    pub(in crate::json) fn nodes(&self) -> &[Node] {
        self.nodes.get(..self.count).unwrap_or_default()
    }

    /// Whether the text that was parsed last has long arrays of numbers.
    pub(in crate::json) fn has_vectors(&self) -> bool {
        !self.vectors.is_empty()
    }

    /// Returns the number of bytes of memory that the buffer holds.
    pub fn capacity(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.vectors.capacity() * size_of::<f64>()
    }
}
