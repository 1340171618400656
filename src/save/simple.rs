//! Numbers, texts and lists.

use super::{Reader, State, Writer};

macro_rules! numbers {
    ($($type:ident),*) => { $(
        impl State for $type {
            fn save(&self, to: &mut Writer) {
                to.number(u64::from(*self));
            }
            fn load(from: &mut Reader<'_>) -> Option<Self> {
                from.number()?.try_into().ok()
            }
        }
    )* };
}

numbers! { u16, u32, u64 }

/// No text is longer, and no memory larger.
const LARGEST: u64 = 1 << 48;

impl State for usize {
    fn save(&self, to: &mut Writer) {
        // What has no limit has none anywhere.
        to.number(if *self == Self::MAX { u64::MAX } else { *self as u64 });
    }

    fn load(from: &mut Reader<'_>) -> Option<Self> {
        match from.number()? {
            u64::MAX => Some(Self::MAX),
            // So that adding two of them is right.
            number if number > LARGEST => None,
            number => number.try_into().ok(),
        }
    }
}

impl State for u8 {
    fn save(&self, to: &mut Writer) {
        to.byte(*self);
    }

    fn load(from: &mut Reader<'_>) -> Option<Self> {
        from.byte()
    }

    fn save_list(list: &[Self], to: &mut Writer) {
        to.raw(list);
    }

    fn load_list(length: usize, from: &mut Reader<'_>) -> Option<Vec<Self>> {
        from.raw(length).map(<[u8]>::to_vec)
    }
}

impl State for bool {
    fn save(&self, to: &mut Writer) {
        to.byte(u8::from(*self));
    }

    fn load(from: &mut Reader<'_>) -> Option<Self> {
        match from.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl State for String {
    fn save(&self, to: &mut Writer) {
        to.bytes(self.as_bytes());
    }

    fn load(from: &mut Reader<'_>) -> Option<Self> {
        from.text().map(str::to_owned)
    }
}

impl<T: State> State for Option<T> {
    fn save(&self, to: &mut Writer) {
        self.is_some().save(to);
        if let Some(value) = self {
            value.save(to);
        }
    }

    fn load(from: &mut Reader<'_>) -> Option<Self> {
        if bool::load(from)? { T::load(from).map(Some) } else { Some(None) }
    }
}

impl<T: State> State for Box<T> {
    fn save(&self, to: &mut Writer) {
        (**self).save(to);
    }

    fn load(from: &mut Reader<'_>) -> Option<Self> {
        T::load(from).map(Self::new)
    }
}

impl<T: State> State for Vec<T> {
    fn save(&self, to: &mut Writer) {
        to.number(self.len() as u64);
        T::save_list(self, to);
    }

    fn load(from: &mut Reader<'_>) -> Option<Self> {
        let length = from.length()?;
        T::load_list(length, from)
    }
}

impl<T: State, const N: usize> State for [T; N] {
    fn save(&self, to: &mut Writer) {
        T::save_list(self, to);
    }

    fn load(from: &mut Reader<'_>) -> Option<Self> {
        T::load_list(N, from)?.try_into().ok()
    }
}

impl<A: State, B: State> State for (A, B) {
    fn save(&self, to: &mut Writer) {
        self.0.save(to);
        self.1.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Option<Self> {
        Some((A::load(from)?, B::load(from)?))
    }
}

impl<A: State, B: State, C: State> State for (A, B, C) {
    fn save(&self, to: &mut Writer) {
        self.0.save(to);
        self.1.save(to);
        self.2.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Option<Self> {
        Some((A::load(from)?, B::load(from)?, C::load(from)?))
    }
}
