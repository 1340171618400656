//! Embeddings as JSON.

use crate::json::ToJson;
use crate::model::Vector;

impl ToJson for Vector {
    /// An array of numbers; NaN and infinity become `null`.
    fn write_json(&self, out: &mut String) {
        out.push('[');
        for (at, number) in self.values().unwrap_or_default().iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            let json = serde_json::to_string(number).unwrap_or_default();
            out.push_str(json.strip_suffix(".0").unwrap_or(&json));
        }
        out.push(']');
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
