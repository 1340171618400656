//! Data for [`TaggedCall`](crate::text::grammar::tags::TaggedCall): the syntax of calls with plain-text arguments
//! between tags.

/// Syntax of such calls.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct Dialect {
    pub(crate) name: NameAt,
    pub(crate) arguments: &'static [Argument],
    /// End of an opening tag.
    pub(crate) tag_end: &'static str,
    /// Ends of a call.
    pub(crate) ends: &'static [&'static str],
    /// Whether an argument may also be an element with the argument's name: `<place>Brest</place>`.
    pub(crate) has_elements: bool,
    /// Whether a call counts only when it has ended, has all required arguments, and repeats none.
    pub(crate) is_strict: bool,
    /// Whether a value that is valid JSON is parsed if no schema declares its type.
    pub(crate) is_json: bool,
    /// Whether values are XML, with entities and CDATA. Other dialects take both literally.
    pub(crate) is_xml: bool,
}

/// Position of the tool's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameAt {
    /// In the tag that opens the call: `<function=tide>`.
    Tag,
    /// Plain text before the first argument: `<tool_call>tide<arg_key>`.
    Text,
    /// The content of an element: `<function>tide</function>`.
    Element,
    /// In the tag. The arguments are nested elements, parsed as a whole.
    Nested,
}

/// Syntax of an argument.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) open: &'static str,
    pub(crate) close: &'static str,
    pub(crate) form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The opening tag or its content is the name: `<parameter=place>Brest</parameter>`,
    /// `<parameter>place</parameter>Brest`.
    Tag,
    /// Separator of the name and the value, and a token that may follow it.
    Key(&'static str, &'static str),
    /// One JSON object with all arguments.
    Json,
}

const fn tag(open: &'static str, close: &'static str) -> Argument {
    Argument { open, close, form: Form::Tag }
}

const ARG_KEY: Argument =
    Argument { open: "<arg_key>", close: "</arg_value>", form: Form::Key("</arg_key>", "<arg_value>") };

/// Keys of `HunYuan` 3, whose tags have a suffix.
const ARG_KEY_3: Argument = Argument {
    open: "<arg_key:opensource>",
    close: "</arg_value:opensource>",
    form: Form::Key("</arg_key:opensource>", "<arg_value:opensource>"),
};

/// Keys of `HunYuan` 4, likewise.
const ARG_KEY_4: Argument = Argument {
    open: "<arg_key:6124c78e>",
    close: "</arg_value:6124c78e>",
    form: Form::Key("</arg_key:6124c78e>", "<arg_value:6124c78e>"),
};

/// Keys of `LongCat`.
const ARG_KEY_LONGCAT: Argument = Argument {
    open: "<longcat_arg_key>",
    close: "</longcat_arg_value>",
    form: Form::Key("</longcat_arg_key>", "<longcat_arg_value>"),
};

/// Keys of `TeleChat` 4 and Xing 4.
const PARAM_KEY: Argument = Argument {
    open: "<param_key>",
    close: "</param_value>",
    form: Form::Key("</param_key>", "<param_value>"),
};

/// `<function=tide><parameter=place>Brest</parameter></function>`, and how models vary it.
const FUNCTION_ARGUMENTS: &[Argument] =
    &[tag("<parameter", "</parameter>"), tag("<param", "</param>"), ARG_KEY];

const fn dialect(arguments: &'static [Argument], ends: &'static [&'static str]) -> Dialect {
    Dialect {
        name: NameAt::Tag,
        arguments,
        tag_end: ">",
        ends,
        has_elements: false,
        is_strict: false,
        is_json: false,
        is_xml: false,
    }
}

pub(crate) static FUNCTION: Dialect =
    Dialect { has_elements: true, ..dialect(FUNCTION_ARGUMENTS, &["</function>", "</tool_call>"]) };

/// The tool's name is the content of the element: `<function>tide</function>`.
pub(crate) static FUNCTION_ELEMENT: Dialect = Dialect {
    name: NameAt::Element,
    has_elements: true,
    ..dialect(FUNCTION_ARGUMENTS, &["</function>", "</tool_call>"])
};

/// `<tool_call>tide<arg_key>place</arg_key><arg_value>Brest</arg_value></tool_call>`.
pub(crate) static KEYS: Dialect = Dialect {
    name: NameAt::Text,
    has_elements: true,
    ..dialect(
        &[ARG_KEY, ARG_KEY_3, ARG_KEY_4, ARG_KEY_LONGCAT, PARAM_KEY, tag("<parameter", "</parameter>")],
        &[
            "</tool_call>",
            "</tool_call:opensource>",
            "</tool_call:6124c78e>",
            "</longcat_tool_call>",
            "</iquest_tool_call>",
            "</iquestcoder_tool_call>",
        ],
    )
};

/// Keys of K2 Horizon.
pub(crate) static IFM: Dialect = Dialect {
    name: NameAt::Text,
    ..dialect(
        &[Argument {
            open: "<ifm|arg_key>",
            close: "</ifm|arg_value>",
            form: Form::Key("</ifm|arg_key>", "<ifm|arg_value>"),
        }],
        &["</ifm|tool_call>"],
    )
};

/// Keys of Solar Open.
pub(crate) static SOLAR: Dialect = Dialect {
    name: NameAt::Text,
    ..dialect(
        &[Argument {
            open: "<|tool_arg:start|>",
            close: "<|tool_arg:end|>",
            form: Form::Key("<|tool_arg:value|>", ""),
        }],
        &["<|tool_call:end|>"],
    )
};

pub(crate) static STEP: Dialect =
    dialect(&[tag("<steptml:parameter", "</steptml:parameter>")], &["</steptml:invoke>"]);

pub(crate) static ATEM: Dialect =
    Dialect { is_json: true, ..dialect(&[tag("<atem:parameter", "</atem:parameter>")], &["</atem:invoke>"]) };

/// Arguments of Beam; the message header has the tool's name.
pub(crate) static RFL: Dialect = Dialect {
    name: NameAt::Text,
    ..dialect(&[tag("<rfl:parameter", "</rfl:parameter>")], &["<|call|>", "<|end|>"])
};

/// Arguments in `<parameter>`, and with the ways to write DSML's bars, because models mix them.
const INVOKE_ARGUMENTS: &[Argument] = &[
    tag("<parameter", "</parameter>"),
    tag("<param", "</param>"),
    tag("<antml:parameter", "</antml:parameter>"),
    tag("<｜DSML｜parameter", "</｜DSML｜parameter>"),
    tag("<｜DSML｜ parameter", "</｜DSML｜ parameter>"),
    tag("<｜｜DSML｜｜parameter", "</｜｜DSML｜｜parameter>"),
    tag("<‖DSML‖parameter", "</‖DSML‖parameter>"),
    tag("<|DSML|parameter", "</|DSML|parameter>"),
    tag("<||DSML||parameter", "</||DSML||parameter>"),
];

/// Ends of such calls, with the one of `<invoke>` on both sides, because the first of a dialect is its own.
const INVOKE_ENDS: &[&str] = &[
    "</invoke>",
    "</antml:invoke>",
    "</｜DSML｜invoke>",
    "</｜DSML｜ invoke>",
    "</｜｜DSML｜｜invoke>",
    "</‖DSML‖invoke>",
    "</|DSML|invoke>",
    "</||DSML||invoke>",
    "</invoke>",
];

pub(crate) static INVOKE: Dialect = Dialect { has_elements: true, ..dialect(INVOKE_ARGUMENTS, INVOKE_ENDS) };

pub(crate) static DSML: Dialect = dialect(
    INVOKE_ARGUMENTS,
    match INVOKE_ENDS {
        [_, _, ends @ ..] => ends,
        _ => &[],
    },
);

pub(crate) static GCML: Dialect =
    dialect(&[tag("<｜GCML｜parameter", "</｜GCML｜parameter>")], &["</｜GCML｜invoke>"]);

pub(crate) static XTML: Dialect = Dialect {
    tag_end: "<|sep|>",
    ..dialect(
        &[
            tag("<|open|>argument", "<|close|>argument<|sep|>"),
            Argument { open: "<|open|>json", close: "<|close|>json<|sep|>", form: Form::Json },
            tag("<|open|> argument", "<|close|> argument <|sep|>"),
        ],
        &["<|close|>call<|sep|>", "<|close|> call <|sep|>"],
    )
};

pub(crate) static PARAM: Dialect = Dialect {
    is_strict: true,
    is_xml: true,
    ..dialect(&[tag("<param", "</param>"), tag("<parameter", "</parameter>")], &["</function>"])
};

pub(crate) static ELEMENTS: Dialect =
    Dialect { name: NameAt::Nested, ..dialect(&[], &["]<]minimax[>[</invoke>"]) };
