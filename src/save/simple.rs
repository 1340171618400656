//! The states of numbers, texts and lists.

use std::collections::VecDeque;

use super::{Coder, State};

macro_rules! numbers {
    ($($type:ident),*) => { $(
        impl State for $type {
            fn blank() -> Self {
                0
            }

            fn code(&mut self, coder: &mut Coder<'_>) {
                *self = coder.number_to(u64::from(Self::MAX), u64::from(*self)) as Self;
            }
        }
    )* };
}

numbers! { u16, u32 }

impl State for u64 {
    fn blank() -> Self {
        0
    }

    #[inline(never)]
    fn code(&mut self, coder: &mut Coder<'_>) {
        *self = coder.number(*self);
    }
}

/// Maximum length of a text or size of memory, so that a sum of two can't overflow.
const LARGEST: u64 = 1 << 48;

impl State for usize {
    fn blank() -> Self {
        0
    }

    #[inline(never)]
    fn code(&mut self, coder: &mut Coder<'_>) {
        // `usize::MAX` means no limit, but its value depends on the platform.
        let number = coder.number(if *self == Self::MAX { u64::MAX } else { *self as u64 });
        let known = if number == u64::MAX {
            Some(Self::MAX)
        } else {
            Self::try_from(number).ok().filter(|_| number <= LARGEST)
        };
        coder.check(known.is_some());
        *self = known.unwrap_or_default();
    }
}

impl State for u8 {
    fn blank() -> Self {
        0
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        *self = coder.byte(*self);
    }

    fn code_list(list: &mut Vec<Self>, length: usize, coder: &mut Coder<'_>) {
        coder.raw(list, length);
    }
}

impl State for bool {
    fn blank() -> Self {
        false
    }

    #[inline(never)]
    fn code(&mut self, coder: &mut Coder<'_>) {
        *self = coder.flag(*self);
    }
}

impl State for String {
    fn blank() -> Self {
        Self::new()
    }

    #[inline(never)]
    fn code(&mut self, coder: &mut Coder<'_>) {
        match coder {
            Coder::Saving(to) => to.bytes(self.as_bytes()),
            Coder::Loading(from) => from.text().clone_into(self),
        }
    }
}

impl<T: State> State for Option<T> {
    fn blank() -> Self {
        None
    }

    #[inline(never)]
    fn code(&mut self, coder: &mut Coder<'_>) {
        if coder.flag(self.is_some()) {
            self.get_or_insert_with(T::blank).code(coder);
        }
    }
}

impl<T: State> State for Box<T> {
    fn blank() -> Self {
        Self::new(T::blank())
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        (**self).code(coder);
    }
}

impl<T: State> State for Vec<T> {
    fn blank() -> Self {
        Self::new()
    }

    #[inline(never)]
    fn code(&mut self, coder: &mut Coder<'_>) {
        // Recursive types recurse through a list, whose depth is limited.
        let length = coder.enter_list(self.len());
        T::code_list(self, length, coder);
        coder.leave_list();
    }
}

impl<T: State> State for VecDeque<T> {
    fn blank() -> Self {
        Self::new()
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        let mut list = Vec::new();
        while let Some(item) = self.pop_front() {
            list.push(item);
        }
        list.code(coder);
        *self = list.into();
    }
}

impl<T: State, const N: usize> State for [T; N] {
    fn blank() -> Self {
        std::array::from_fn(|_| T::blank())
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        for item in self {
            item.code(coder);
        }
    }
}

impl<A: State, B: State> State for (A, B) {
    fn blank() -> Self {
        (A::blank(), B::blank())
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        self.0.code(coder);
        self.1.code(coder);
    }
}

impl<A: State, B: State, C: State> State for (A, B, C) {
    fn blank() -> Self {
        (A::blank(), B::blank(), C::blank())
    }

    fn code(&mut self, coder: &mut Coder<'_>) {
        self.0.code(coder);
        self.1.code(coder);
        self.2.code(coder);
    }
}
