//! Calls written as Python: `[f(a=1), g(b="x")]`, or one on each line.

use super::call::{Arguments, ArgumentsRead, Calls, Read};
use super::literal::Literal;
use super::reader::Reader;
use crate::model::RejectReason;

#[derive(Debug)]
enum Step {
    /// Before a call, or where none follows.
    Between,
    Arguments(Arguments),
}

/// Reads calls that are Python.
#[derive(Debug)]
pub(super) struct PythonCalls {
    step: Step,
    name: String,
    is_first: bool,
    is_declared: bool,
}

impl PythonCalls {
    pub(super) fn new() -> Self {
        Self { step: Step::Between, name: String::new(), is_first: true, is_declared: false }
    }

    pub(super) fn read(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Read {
        loop {
            let read = match &mut self.step {
                Step::Between => self.begin(reader, calls),
                Step::Arguments(arguments) => {
                    let read = arguments.read(reader, calls);
                    if read == ArgumentsRead::More {
                        return Read::More;
                    }
                    self.step = Step::Between;
                    Some(match (self.is_declared, read) {
                        (true, _) => {
                            calls.end();
                            Read::Taken
                        }
                        (_, ArgumentsRead::Broken) => Read::Rejected(RejectReason::InvalidArguments),
                        _ => Read::Rejected(RejectReason::UnknownTool),
                    })
                }
            };
            if let Some(read) = read {
                return read;
            }
        }
    }

    /// The text is over.
    pub(super) fn finish(&mut self, calls: &mut Calls<'_>) -> Read {
        match &mut self.step {
            Step::Arguments(arguments) => {
                arguments.finish(calls);
                if self.is_declared {
                    calls.end();
                    return Read::Taken;
                }
                Read::Rejected(RejectReason::Truncated)
            }
            Step::Between if self.is_first => Read::NoCall,
            Step::Between => Read::Done,
        }
    }

    fn begin(&mut self, reader: &mut Reader<'_>, calls: &mut Calls<'_>) -> Option<Read> {
        let from = reader.at;
        let otherwise = if self.is_first { Read::NoCall } else { Read::Done };
        let opener = if self.is_first { b'[' } else { b',' };
        reader.skip_space();
        if reader.peek() == Some(opener) {
            reader.at += 1;
            reader.skip_space();
        }
        if !self.is_first && reader.peek() == Some(b']') {
            reader.at += 1;
            return Some(Read::Done);
        }
        let length = reader.rest().bytes().position(|byte| !is_name(byte));
        let Some(length) = length else {
            // It may go on, if it is one.
            reader.at = from;
            return Some(if reader.is_over { otherwise } else { Read::More });
        };
        let name = reader.rest().get(..length).unwrap_or_default();
        reader.at += length;
        if length == 0 || reader.peek() != Some(b'(') {
            reader.at = from;
            return Some(otherwise);
        }
        reader.at += 1;
        name.clone_into(&mut self.name);
        self.is_first = false;
        self.is_declared = calls.begin(name, None);
        self.step = Step::Arguments(Arguments::new(Literal::keywords(), self.is_declared));
        None
    }
}

/// What names of tools are made of.
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'/' | 0x80..)
}
