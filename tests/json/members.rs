//! Lookup of object members: finds exactly the members that exist, and the last of each name.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use proptest::prelude::*;
use respool::json::Document;

/// Similar names: with the same length, the same first and last bytes, or the same prefix.
const NAMES: &[&str] = &[
    "", "a", "aa", "aba", "aca", "abca", "acba", "id", "ad", "index", "item_id", "input", "n\u{e9}", "\"",
    "role", "rule", "model", "modal",
];

/// Returns a name as a JSON string, optionally with every character escaped.
fn quoted(name: &str, is_escaped: bool) -> String {
    if !is_escaped {
        return serde_json::to_string(name).unwrap();
    }
    let units: Vec<String> = name.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    format!("\"{}\"", units.concat())
}

/// Returns the members as JavaScript reads them: the last value of each name, at the position of the first.
fn as_javascript_reads(members: &[(String, u64)]) -> Vec<(String, u64)> {
    let mut kept: Vec<(String, u64)> = Vec::new();
    for (name, value) in members {
        match kept.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = *value,
            None => kept.push((name.clone(), *value)),
        }
    }
    kept
}

fn member() -> impl Strategy<Value = (String, bool)> {
    let name = prop_oneof![
        4 => prop::sample::select(NAMES).prop_map(str::to_owned),
        1 => "[a-c]{0,3}",
    ];
    (name, prop::bool::weighted(0.1))
}

proptest! {
    #[test]
    fn match_javascript(names in prop::collection::vec(member(), 0..80)) {
        let json: Vec<String> = names
            .iter()
            .zip(1..)
            .map(|((name, is_escaped), value)| format!("{}: {value}", quoted(name, *is_escaped)))
            .collect();
        let json = format!("{{{}}}", json.join(", "));
        let members: Vec<(String, u64)> = names.into_iter().map(|(name, _)| name).zip(1..).collect();
        let expected = as_javascript_reads(&members);

        let document = Document::parse(&json, 1).unwrap();
        let root = document.root();
        for name in NAMES {
            let value = expected.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
            prop_assert_eq!(root.get_unsigned(name), value, "{} in {}", name, json);
        }
        for known in [&[][..], &["id"], NAMES, &["role", "a", "index", ""]] {
            let others: Vec<(String, u64)> = root
                .others(known)
                .map(|(name, value)| (name.into_owned(), value.unsigned().unwrap()))
                .collect();
            let unknown: Vec<(String, u64)> =
                expected.iter().filter(|(name, _)| !known.contains(&name.as_str())).cloned().collect();
            prop_assert_eq!(others, unknown, "{:?} in {}", known, json);
        }
    }

    #[test]
    fn integers_match_floats(text in "-?(0|[1-9][0-9]{0,20})(\\.0{1,3})?([eE]\\+?[0-2])?") {
        let float: f64 = text.parse().unwrap();
        let is_whole = (0.0..=9_007_199_254_740_992.0).contains(&float) && float.fract() == 0.0;
        let unsigned = Document::parse(&text, 0).unwrap().root().unsigned();
        prop_assert_eq!(unsigned.is_some(), is_whole, "{}", text);
        if let Some(unsigned) = unsigned {
            prop_assert_eq!(unsigned.to_string().parse::<f64>().unwrap().to_bits(), float.abs().to_bits(), "{}", text);
        }
    }

    #[test]
    fn comparing_strings_matches_reading_them(text in "[ab\"é\u{1f600}]{0,4}", other in "[ab\"é]{0,4}", is_escaped: bool) {
        let json = quoted(&text, is_escaped);
        let document = Document::parse(&json, 0).unwrap();
        prop_assert!(document.root().is(&text));
        prop_assert_eq!(document.root().is(&other), text == other);
        let list = format!("[{json}]");
        prop_assert!(!Document::parse(&list, 1).unwrap().root().is(&text));
    }
}
