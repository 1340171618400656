//! Reads a module from start to end.

/// A cursor in a module. Past the end it reads zeros.
pub(crate) struct Reader<'m> {
    module: &'m [u8],
    at: usize,
}

/// An operand of an operator.
enum Operand {
    Number,
    /// This many bytes.
    Bytes(usize),
    /// A branch table: its labels and the default label.
    Table,
    Types,
}

impl<'m> Reader<'m> {
    pub(crate) fn new(module: &'m [u8]) -> Self {
        Self { module, at: 0 }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.module.len()
    }

    pub(crate) fn peek(&self) -> u8 {
        self.module.get(self.at).copied().unwrap_or(0)
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let byte = self.peek();
        self.at += 1;
        byte
    }

    /// Returns the bytes that `read` consumes.
    pub(crate) fn bytes_of(&mut self, read: impl FnOnce(&mut Self)) -> &'m [u8] {
        let from = self.at;
        read(self);
        self.module.get(from..self.at).unwrap_or_default()
    }

    pub(crate) fn number(&mut self) -> usize {
        let mut number = 0;
        let mut shift = 0;
        loop {
            let byte = self.byte();
            number |= usize::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte < 0x80 {
                return number;
            }
            shift += 7;
        }
    }

    /// Returns the length of the next number in bytes, at most 5. No tool writes longer ones.
    pub(crate) fn length_of_number(&self) -> u8 {
        let rest = self.module.get(self.at..).unwrap_or_default().iter().take(5);
        (1..).zip(rest).find(|(_, byte)| **byte < 0x80).map_or(5, |(length, _)| length)
    }

    /// Skips to the first function and returns the number of functions.
    pub(crate) fn up_to_functions(&mut self) -> usize {
        const CODE: u8 = 10;
        self.at = 8;
        while !self.is_at_end() {
            let section = self.byte();
            let size = self.number();
            if section == CODE {
                return self.number();
            }
            self.at = self.at.saturating_add(size);
        }
        0
    }

    pub(crate) fn skip_to_end(&mut self) {
        self.at = self.at.max(self.module.len());
    }

    /// Reads the declarations of the locals of a function.
    pub(crate) fn locals(&mut self) {
        self.repeat(|reader| {
            reader.number();
            reader.byte();
        });
    }

    /// Reads a count and calls `read` that many times, or until the end.
    fn repeat(&mut self, read: impl Fn(&mut Self)) {
        for _ in 0..self.number() {
            if self.is_at_end() {
                return;
            }
            read(self);
        }
    }

    /// Reads the operands of a rare operator.
    pub(crate) fn rare_operands(&mut self, operator: u8) {
        use Operand::{Bytes, Number, Table, Types};
        let operands: &[Operand] = match operator {
            0x0e => &[Table],
            0x11 => &[Number, Number],
            0x1c => &[Types],
            0x3f | 0x40 | 0xd0 => &[Bytes(1)],
            0x43 => &[Bytes(4)],
            0x44 => &[Bytes(8)],
            0xfc => match self.number() {
                0..=7 => &[],
                8 | 10 | 12 | 14 => &[Number, Number],
                _ => &[Number],
            },
            0xfd => match self.number() {
                0..=11 | 92 | 93 => &[Number, Number],
                12 | 13 => &[Bytes(16)],
                21..=34 => &[Bytes(1)],
                84..=91 => &[Number, Number, Bytes(1)],
                _ => &[],
            },
            _ => &[Number],
        };
        for operand in operands {
            match operand {
                Number => {
                    self.number();
                }
                Bytes(count) => self.at += count,
                Table => {
                    self.repeat(|reader| {
                        reader.number();
                    });
                    self.number();
                }
                Types => self.repeat(|reader| {
                    reader.byte();
                }),
            }
        }
    }
}
