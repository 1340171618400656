//! Memory for documents that are read one after the other.

use std::borrow::Cow;

use super::{Node, Tape};
use crate::json::parse::parse;
use crate::json::{Document, JsonError};

/// Memory for one [`Document`] after another.
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
    /// How many of the nodes belong to the text that was read last.
    count: usize,
}

impl TapeBuffer {
    /// An empty buffer. It allocates nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a text, as [`Document::parse`] does, into the memory of the text before.
    ///
    /// # Errors
    /// Where the text is not one JSON value with nothing but white space around it.
    pub fn parse<'t>(&'t mut self, text: &'t str, max_depth: usize) -> Result<Document<'t>, JsonError> {
        self.count = 0;
        self.count = parse(text, max_depth, &mut self.nodes, &mut self.vectors)?;
        let vectors = Cow::Borrowed(&*self.vectors);
        Ok(Tape { bytes: text.as_bytes(), text, nodes: Cow::Borrowed(self.nodes()), vectors }.into())
    }

    /// The nodes of the text that was read last.
    pub(in crate::json) fn nodes(&self) -> &[Node] {
        self.nodes.get(..self.count).unwrap_or_default()
    }

    /// Whether the text that was read last has long arrays of numbers.
    pub(in crate::json) fn has_vectors(&self) -> bool {
        !self.vectors.is_empty()
    }

    /// How many bytes of memory it holds.
    pub fn capacity(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.vectors.capacity() * size_of::<f64>()
    }
}
