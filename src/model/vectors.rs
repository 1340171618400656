//! Embeddings.

use std::borrow::Cow;

use crate::json::Numbers;

/// One vector of numbers for each input.
#[derive(Debug, Clone, PartialEq)]
pub struct Vectors {
    /// The vectors, in the order of the inputs.
    pub rows: Vec<Vector>,
}

/// One vector, as precise as it was sent.
///
/// ```
/// use respool::model::Vector;
///
/// assert_eq!(Vector::Floats(vec![0.5, -2.0]).values().as_deref(), Some([0.5, -2.0].as_slice()));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Vector {
    /// It was sent as JSON numbers.
    Numbers(Numbers),
    /// It was sent as 32-bit floats.
    Floats(Vec<f32>),
}

impl Vector {
    /// Its numbers; `None` where only the host of the document has them.
    pub fn values(&self) -> Option<Cow<'_, [f64]>> {
        match self {
            Self::Numbers(Numbers::Read(numbers)) => Some(Cow::Borrowed(numbers)),
            Self::Numbers(Numbers::OfHost(_)) => None,
            Self::Floats(floats) => Some(floats.iter().copied().map(f64::from).collect()),
        }
    }
}
