//! The call that is being read.

use super::event::{Event, Sink};
use super::literal::{Literal, Stop};
use super::reader::{Match, Reader, slice};
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

/// The call that is being read.
#[derive(Debug, Default)]
pub(super) struct Call {
    /// Its name, as soon as that has been read.
    pub(super) name: String,
    /// The id that the text gives it; empty where it gives none.
    pub(super) id: String,
    /// Whether it has begun and not ended.
    pub(super) is_open: bool,
    /// Its arguments, or all of it, where it is one literal.
    pub(super) literal: Literal,
    /// How much of the literal has been told.
    pub(super) told: usize,
}

/// Where a grammar tells what it reads.
pub(super) struct Calls<'c> {
    pub(super) tools: &'c Tools,
    pub(super) sink: &'c mut Sink<'c>,
    pub(super) call: &'c mut Call,
}

impl Calls<'_> {
    /// Begins the call, if there is such a tool and it has not begun.
    pub(super) fn begin(&mut self) {
        let Call { name, id, is_open, .. } = &mut *self.call;
        if !*is_open && self.tools.find(name).is_some() {
            *is_open = true;
            (self.sink)(Event::Start { id: Some(&**id).filter(|id| !id.is_empty()), name });
        }
    }

    /// Begins the call with arguments that are one literal.
    pub(super) fn begin_literal(&mut self) {
        self.begin();
        self.call.literal.restart(0);
        self.call.told = 0;
    }

    pub(super) fn arguments(&mut self, json: &str) {
        if self.call.is_open && !json.is_empty() {
            (self.sink)(Event::Arguments(json));
        }
    }

    /// Tells more of the literal, up to a place in its JSON.
    pub(super) fn tell(&mut self, to: usize) {
        let Call { literal, told, is_open, .. } = &mut *self.call;
        if *is_open && *told < to {
            (self.sink)(Event::Arguments(slice(literal.json(), *told, to)));
            *told = to;
        }
    }

    /// Tells what is settled of the literal.
    pub(super) fn tell_settled(&mut self) {
        self.tell(self.call.literal.settled());
    }

    /// Tells all of the literal.
    pub(super) fn tell_all(&mut self) {
        self.tell(self.call.literal.json().len());
    }

    /// Reads arguments that are one literal; what it comes to, where they are over.
    pub(super) fn read_literal(&mut self, reader: &mut Reader<'_>) -> Option<Read> {
        let is_whole = loop {
            break match self.call.literal.read(reader) {
                Stop::Member | Stop::MemberEnd | Stop::ObjectEnd => continue,
                Stop::More => None,
                Stop::End => Some(true),
                Stop::Foreign => match end_before_closer(&mut self.call.literal, reader) {
                    Match::Is(_) => Some(true),
                    Match::Open => None,
                    Match::No => Some(false),
                },
            };
        };
        self.tell_settled();
        Some(self.end(if is_whole? { RejectReason::UnknownTool } else { RejectReason::InvalidArguments }))
    }

    /// An argument does not fit the schema.
    pub(super) fn warn(&mut self, argument: &str) {
        (self.sink)(Event::Unfit { argument });
    }

    /// The text is over in the middle of the call.
    pub(super) fn cut_off(&mut self) -> Read {
        self.tell_all();
        self.end(RejectReason::Truncated)
    }

    /// The call is over. One that has not begun is rejected.
    pub(super) fn end(&mut self, otherwise: RejectReason) -> Read {
        if !std::mem::take(&mut self.call.is_open) {
            return Read::Rejected(otherwise);
        }
        (self.sink)(Event::End);
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
    "]<]minimax[>[</tool_call>",
    "]<]minimax[>[</invoke>",
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
