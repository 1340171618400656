//! Numbers, texts and lists.

use std::collections::VecDeque;

use super::{Reader, State, Writer};

macro_rules! numbers {
    ($($type:ident),*) => { $(
        impl State for $type {
            fn save(&self, to: &mut Writer) {
                to.number(u64::from(*self));
            }

            fn load(from: &mut Reader<'_>) -> Self {
                from.number_below(u64::from(Self::MAX) + 1) as Self
            }
        }
    )* };
}

numbers! { u16, u32 }

impl State for u64 {
    fn save(&self, to: &mut Writer) {
        to.number(*self);
    }

    fn load(from: &mut Reader<'_>) -> Self {
        from.number()
    }
}

/// No text is longer, and no memory larger: so that adding two of them is right.
const LARGEST: u64 = 1 << 48;

impl State for usize {
    #[inline(never)]
    fn save(&self, to: &mut Writer) {
        // What has no limit has none anywhere.
        to.number(if *self == Self::MAX { u64::MAX } else { *self as u64 });
    }

    #[inline(never)]
    fn load(from: &mut Reader<'_>) -> Self {
        let number = from.number();
        let known = if number == u64::MAX {
            Some(Self::MAX)
        } else {
            Self::try_from(number).ok().filter(|_| number <= LARGEST)
        };
        from.or(known, 0)
    }
}

impl State for u8 {
    fn save(&self, to: &mut Writer) {
        to.byte(*self);
    }

    fn load(from: &mut Reader<'_>) -> Self {
        from.byte()
    }

    fn save_list(list: &[Self], to: &mut Writer) {
        to.raw(list);
    }

    fn load_list(length: usize, from: &mut Reader<'_>) -> Vec<Self> {
        from.raw(length).to_vec()
    }
}

impl State for bool {
    fn save(&self, to: &mut Writer) {
        to.byte(u8::from(*self));
    }

    #[inline(never)]
    fn load(from: &mut Reader<'_>) -> Self {
        match from.byte() {
            0 => false,
            1 => true,
            _ => {
                from.fail();
                false
            }
        }
    }
}

impl State for String {
    #[inline(never)]
    fn save(&self, to: &mut Writer) {
        to.bytes(self.as_bytes());
    }

    #[inline(never)]
    fn load(from: &mut Reader<'_>) -> Self {
        from.text().to_owned()
    }
}

impl<T: State> State for Option<T> {
    #[inline(never)]
    fn save(&self, to: &mut Writer) {
        self.is_some().save(to);
        if let Some(value) = self {
            value.save(to);
        }
    }

    #[inline(never)]
    fn load(from: &mut Reader<'_>) -> Self {
        bool::load(from).then(|| T::load(from))
    }
}

impl<T: State> State for Box<T> {
    fn save(&self, to: &mut Writer) {
        (**self).save(to);
    }

    fn load(from: &mut Reader<'_>) -> Self {
        Self::new(T::load(from))
    }
}

impl<T: State> State for Vec<T> {
    #[inline(never)]
    fn save(&self, to: &mut Writer) {
        to.number(self.len() as u64);
        T::save_list(self, to);
    }

    #[inline(never)]
    fn load(from: &mut Reader<'_>) -> Self {
        // What contains itself does so in a list.
        let length = from.enter_list();
        let list = T::load_list(length, from);
        from.leave_list();
        list
    }
}

impl<T: State> State for VecDeque<T> {
    fn save(&self, to: &mut Writer) {
        to.number(self.len() as u64);
        for item in self {
            item.save(to);
        }
    }

    fn load(from: &mut Reader<'_>) -> Self {
        Vec::load(from).into()
    }
}

impl<T: State, const N: usize> State for [T; N] {
    fn save(&self, to: &mut Writer) {
        T::save_list(self, to);
    }

    fn load(from: &mut Reader<'_>) -> Self {
        std::array::from_fn(|_| T::load(from))
    }
}

impl<A: State, B: State> State for (A, B) {
    fn save(&self, to: &mut Writer) {
        self.0.save(to);
        self.1.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Self {
        (A::load(from), B::load(from))
    }
}

impl<A: State, B: State, C: State> State for (A, B, C) {
    fn save(&self, to: &mut Writer) {
        self.0.save(to);
        self.1.save(to);
        self.2.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Self {
        (A::load(from), B::load(from), C::load(from))
    }
}
