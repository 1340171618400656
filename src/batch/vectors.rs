//! Embeddings as JSON.

use crate::json::{ToJson, write_list};
use crate::model::Vector;

impl ToJson for Vector {
    /// Writes an array of numbers; NaN and infinity become `null`.
    fn write_json(&self, out: &mut String) {
        let values = self.values().unwrap_or_default();
        write_list(values.iter(), out, |number, out| {
            let json = serde_json::to_string(number).unwrap_or_default();
            out.push_str(json.strip_suffix(".0").unwrap_or(&json));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::to_json;

    #[test]
    fn whole_numbers_have_no_fraction() {
        let vector = Vector::Floats(vec![0.5, -2.0, f32::NAN]);
        assert_eq!(to_json(&vector), "[0.5,-2,null]");
    }
}
