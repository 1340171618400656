//! Counts the bytes that are examined, so that tests can compare the number with the length of the text.

#[cfg(test)]
thread_local! {
    static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Adds to the number of examined bytes.
#[cfg(test)]
pub(crate) fn look_at(bytes: usize) {
    LOOKED_AT.set(LOOKED_AT.get() + bytes);
}

/// No-op outside of tests.
#[cfg(not(test))]
pub(crate) fn look_at(_bytes: usize) {}

#[cfg(test)]
mod tests {
    use super::LOOKED_AT;
    use crate::json::Document;
    use crate::text::{Extractor, TextOptions};

    /// Returns the number of examined bytes per byte of a text that is read in pieces.
    fn work(text: &str, piece: usize) -> usize {
        let json = r#"{"tools": [{"name": "tide"}], "formats": ["auto", "llama3-json", "pythonic", "react"], "tags": ["*"]}"#;
        let options = TextOptions::new(Document::parse(json, 64).unwrap().root()).unwrap();
        let mut extractor = Extractor::new(options.into());
        LOOKED_AT.set(0);
        for piece in text.as_bytes().chunks(piece) {
            extractor.push(str::from_utf8(piece).unwrap(), &mut |_| ());
        }
        extractor.finish(&mut |_| ());
        LOOKED_AT.get() / text.len()
    }

    #[test]
    fn work_is_linear_for_all_texts() {
        for unit in [
            "plain prose, of which there is most. ",
            "<",
            "[",
            "`",
            "``` ",
            "<tool_call>",
            "<tool_call>{\"name\": \"tide\", \"arguments\": {\"a\": \"",
            "<tool_call>{\"name\": \"",
            "<tool_call>[{\"name\": \"tide\", \"arguments\": {\"a\": \"b ",
            "[TOOL_CALLS]",
            "<think>",
            "<think><tool_call>{",
            "<function=tide><parameter=a>",
            "<function=",
            "<|channel|>",
            "<|message|>",
            " functool",
            "{\"name",
            "\nAction: a",
            "<tool_call>tide<arg_key>",
            "<|tool_call>call:tide{}<tool_call|><|tool_response>response:tide{",
            "{[tide(a=",
            "{[tide(",
            "<tool_call>tide<arg_key>a</arg_key><arg_value><arg_key>",
            "<think><tool_call>tide ",
            "<tool_call>{\"name\": \"tide\", \"arguments\": {\"a\": \"{\"b\": \"c\"}",
            "<|tool_call_start|>[tide(a='b' ",
            "`<",
            "`a <tool_call>",
            "`a <tool_call>\n",
            "`a <tool_call>\n\n",
        ] {
            check("", unit);
        }
        check("`a ", "<tool_call> ");
        for unit in ["<parameter=a>", "<parameter=a>x", "<parameter=a> ", "<parameter=b>\n "] {
            check("<function=tide>", unit);
        }
        for unit in ["x, ", "x\" ", "1, "] {
            check("<|tool_call>call:tide{a:", unit);
        }
        for opener in ["<tool_call>", "<tool_calls>", "<tool_call>\n", "<|action_start|>", "<function_calls>"]
        {
            check("<think>", opener);
        }
        for opener in [
            "<tool_call>",
            "<think><tool_call>",
            "[TOOL_CALLS]",
            "<tool_call>```",
            "<|tool_call|>[",
            "<invoke name=\"tide",
            "<function=tide><parameter",
            "<function=tide>{\"a\": 1}",
            "<atem:function_calls><atem:invoke name=\"tide\">",
        ] {
            check(opener, "\n");
        }
        for unit in ["\"", "}", ", "] {
            check("<function=tide>{\"a\": 1}", unit);
        }
        check("<tool_call>", "# a\n");
        check("<tool_call>{\"name\": \"tide\", \"arguments\": {}}", ",");
        check("<think><tool_call>[\"", "a");
        for unit in ["1", "\n)"] {
            check("<|tool_call_start|>[tide(a='b')", unit);
        }
    }

    /// Checks that the work per byte doesn't grow with the length of a repetitive text.
    fn check(before: &str, unit: &str) {
        for piece in [16, 1 << 20] {
            let of = |length: usize| work(&[before, &unit.repeat(length / unit.len())].concat(), piece);
            let (small, large) = (of(1 << 12), of(1 << 15));
            assert!(
                large <= small * 2 + 8,
                "{before:?} {unit:?} in pieces of {piece}: {small} a byte, then {large}"
            );
        }
    }
}
