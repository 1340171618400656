//! The call that is being read.

use super::event::{Event, Sink};
use super::literal::{Literal, Stop};
use super::reader::{Match, Reader};
use super::tools::Tools;
use crate::model::RejectReason;

/// What a grammar comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    /// It needs more text.
    More,
    /// A call has ended; there may be more.
    Taken,
    /// What was read since the last call is none.
    Rejected(RejectReason),
    /// There are no more calls here.
    Done,
    /// This is not the grammar's, only text that mentions its mark.
    NoCall,
}

/// Where a grammar tells what it reads.
pub(super) struct Calls<'c> {
    pub(super) tools: &'c Tools,
    pub(super) sink: &'c mut Sink<'c>,
    /// The name of the call that was read last, for who rejects it.
    pub(super) name: &'c mut String,
    /// Whether a call has begun and not ended.
    pub(super) is_open: &'c mut bool,
}

impl Calls<'_> {
    /// Begins a call, if there is such a tool.
    pub(super) fn begin(&mut self, name: &str, id: Option<&str>) -> bool {
        name.clone_into(self.name);
        if self.tools.find(name).is_none() {
            return false;
        }
        (self.sink)(Event::Start { id: id.filter(|id| !id.is_empty()), name });
        *self.is_open = true;
        true
    }

    pub(super) fn arguments(&mut self, json: &str) {
        if !json.is_empty() {
            (self.sink)(Event::Arguments(json));
        }
    }

    /// An argument does not fit the schema.
    pub(super) fn warn(&mut self, argument: &str) {
        (self.sink)(Event::Unfit { argument });
    }

    pub(super) fn end(&mut self) {
        if std::mem::take(self.is_open) {
            (self.sink)(Event::End);
        }
    }

    /// A call that is whole.
    pub(super) fn take(&mut self, name: &str, id: Option<&str>, arguments: &str) -> Read {
        if !self.begin(name, id) {
            return Read::Rejected(RejectReason::UnknownTool);
        }
        self.arguments(arguments);
        self.end();
        Read::Taken
    }
}

/// What closes calls, and what models say after them. Where one stands after a call it is no text.
pub(super) const CLOSERS: &[&str] = &[
    "</tool_call>",
    "</function>",
    "</function_call>",
    "</longcat_tool_call>",
    "</seed:tool_call>",
    "</minimax:tool_call>",
    "</tool_calls>",
    "</function_calls>",
    "</invoke>",
    "</｜DSML｜invoke>",
    "</｜DSML｜function_calls>",
    "</｜DSML｜tool_calls>",
    "</TOOLCALL>",
    "<|tool_call_end|>",
    "<|tool_calls_section_end|>",
    "<|python_end|>",
    "<｜tool▁call▁end｜>",
    "<｜tool▁calls▁end｜>",
    "<tool_call|>",
    "<end_function_call>",
    "<|END_ACTION|>",
    "<|action_end|>",
    "<|tools_suffix|>",
    "<|call|>",
    "<|end|>",
    "<|im_end|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<｜end▁of▁sentence｜>",
    "<end_of_turn>",
    "</s>",
    "</think>",
];

/// Arguments that are one literal.
#[derive(Debug)]
pub(super) struct Arguments {
    literal: Literal,
    told: usize,
    /// Whether there is such a tool, so that they are told.
    is_told: bool,
}

/// How the reading of arguments went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArgumentsRead {
    More,
    Whole,
    Broken,
}

impl Arguments {
    pub(super) fn new(literal: Literal, is_told: bool) -> Self {
        Self { literal, told: 0, is_told }
    }

    pub(super) fn read(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> ArgumentsRead {
        let read = loop {
            break match self.literal.read(reader) {
                Stop::Member | Stop::MemberEnd | Stop::ObjectEnd => continue,
                Stop::More => ArgumentsRead::More,
                Stop::End => ArgumentsRead::Whole,
                Stop::Foreign => match end_before_closer(&mut self.literal, reader) {
                    Match::Is(_) => ArgumentsRead::Whole,
                    Match::Open => ArgumentsRead::More,
                    Match::No => ArgumentsRead::Broken,
                },
            };
        };
        self.tell(self.literal.settled(), calls);
        read
    }

    /// The text is over.
    pub(super) fn finish(&mut self, calls: &mut Calls<'_>) {
        self.tell(self.literal.json().len(), calls);
    }

    fn tell(&mut self, to: usize, calls: &mut Calls<'_>) {
        if self.is_told {
            calls.arguments(self.literal.json().get(self.told..to).unwrap_or_default());
            self.told = to;
        }
    }
}

/// Closes the brackets that are open, where what closes the call stands already.
pub(super) fn end_before_closer(literal: &mut Literal, reader: &Reader<'_>) -> Match {
    if !literal.is_between() {
        return Match::No;
    }
    let found = reader.which(CLOSERS);
    if let Match::Is(_) = found {
        literal.close();
    }
    found
}
