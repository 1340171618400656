//! Embeddings.

use std::borrow::Cow;

use crate::json::Numbers;

/// The embedding vectors of a response, one for each input.
#[derive(Debug, Clone, PartialEq)]
pub struct Vectors {
    /// The vectors, in the order of the inputs.
    pub rows: Vec<Vector>,
}

/// One embedding vector, at the precision the provider sent.
///
/// ```
/// use respool::model::Vector;
///
/// assert_eq!(Vector::Floats(vec![0.5, -2.0]).values().as_deref(), Some([0.5, -2.0].as_slice()));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Vector {
    /// Sent as an array of JSON numbers.
    Numbers(Numbers),
    /// Sent as base64-encoded 32-bit floats.
    Floats(Vec<f32>),
}

impl Vector {
    /// The components, or `None` if only the document's host (JavaScript) holds them.
    pub fn values(&self) -> Option<Cow<'_, [f64]>> {
        match self {
            Self::Numbers(Numbers::Read(numbers)) => Some(Cow::Borrowed(numbers)),
            Self::Numbers(Numbers::OfHost(_)) => None,
            Self::Floats(floats) => Some(floats.iter().copied().map(f64::from).collect()),
        }
    }
}
