//! Embeddings.

/// One vector of numbers for each input.
#[derive(Debug, Clone, PartialEq)]
pub struct Vectors {
    /// The vectors, in the order of the inputs.
    pub rows: Vec<Vec<f64>>,
}
