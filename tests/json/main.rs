//! JSON: reading it, whole and as it grows, repairing it and writing it.

mod members;
mod numbers;
mod parsing;
mod partial;
mod repair;
mod writing;
