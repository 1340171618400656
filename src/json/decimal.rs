//! Converts numbers with many digits to the nearest 64-bit float by long arithmetic: any number, but slowly.

/// Maximum number of significant digits: halfway between two floats there are at most 767. Further digits only break a
/// tie.
const MAX_DIGITS: usize = 800;

/// A number as written: its digits without leading zeros, and the power of ten to multiply them by.
struct Decimal {
    is_negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

/// Returns the float nearest to a valid JSON number; infinity if it is too large.
#[cold]
#[inline(never)]
pub(super) fn to_f64(text: &str) -> f64 {
    let decimal = Decimal::read(text);
    let magnitude = decimal.magnitude();
    if decimal.is_negative { -magnitude } else { magnitude }
}

impl Decimal {
    fn read(text: &str) -> Self {
        let mut decimal = Self { is_negative: false, digits: Vec::new(), exponent: 0 };
        let mut is_fraction = false;
        let mut bytes = text.bytes();
        for byte in bytes.by_ref() {
            match byte {
                b'-' => decimal.is_negative = true,
                b'0'..=b'9' => decimal.take_digit(byte - b'0', is_fraction),
                b'.' => is_fraction = true,
                _ => break,
            }
        }
        // Beyond the range of floats, the exact exponent doesn't matter.
        let (mut size, mut is_negative) = (0i64, false);
        for byte in bytes {
            match byte {
                b'-' => is_negative = true,
                b'0'..=b'9' => size = (size * 10 + i64::from(byte - b'0')).min(1 << 40),
                _ => {}
            }
        }
        decimal.exponent += if is_negative { -size } else { size };
        decimal
    }

    fn take_digit(&mut self, digit: u8, is_fraction: bool) {
        self.exponent -= i64::from(is_fraction);
        if digit == 0 && self.digits.is_empty() {
            return;
        }
        if self.digits.len() < MAX_DIGITS {
            self.digits.push(digit);
        } else {
            self.exponent += 1;
            if let (1..=9, Some(last)) = (digit, self.digits.last_mut()) {
                *last |= 1; // stands for the further digits, to break a tie
            }
        }
    }

    /// Returns the float without its sign.
    fn magnitude(&self) -> f64 {
        let magnitude = i64::try_from(self.digits.len()).unwrap_or(i64::MAX).saturating_add(self.exponent);
        if self.digits.is_empty() || magnitude < -330 {
            return 0.0;
        }
        if magnitude > 310 {
            return f64::INFINITY;
        }
        let mut number = Long::default();
        for digit in &self.digits {
            number.multiply_add(10, u32::from(*digit));
        }
        let mut shift = 0;
        let mut powers = self.exponent.unsigned_abs();
        if self.exponent < 0 {
            // Enough bits that the quotient has more than a float; ten is less than 2^4.
            shift = 32 * (powers / 8 + 4);
            number.shift_up(shift / 32);
        }
        while powers > 0 {
            let step = powers.min(9);
            powers -= step;
            let factor = 10u32.pow(step as u32);
            if self.exponent < 0 { number.divide(factor) } else { number.multiply_add(factor, 0) }
        }
        number.to_f64(-i64::try_from(shift).unwrap_or(i64::MAX))
    }
}

/// A whole number of any size, in limbs of 32 bits, the least significant first.
#[derive(Default)]
struct Long {
    limbs: Vec<u32>,
    /// Whether a division had a remainder.
    is_inexact: bool,
}

impl Long {
    fn multiply_add(&mut self, factor: u32, summand: u32) {
        let mut carry = u64::from(summand);
        for limb in &mut self.limbs {
            let product = u64::from(*limb) * u64::from(factor) + carry;
            *limb = product as u32;
            carry = product >> 32;
        }
        if carry > 0 {
            self.limbs.push(carry as u32);
        }
    }

    fn divide(&mut self, divisor: u32) {
        let mut rest = 0u64;
        for limb in self.limbs.iter_mut().rev() {
            let dividend = (rest << 32) | u64::from(*limb);
            *limb = (dividend / u64::from(divisor)) as u32;
            rest = dividend % u64::from(divisor);
        }
        self.is_inexact |= rest > 0;
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }

    /// Multiplies by 2^32, `limbs` times.
    fn shift_up(&mut self, limbs: u64) {
        let zeros = usize::try_from(limbs).unwrap_or_default();
        let mut limbs = vec![0; zeros];
        limbs.append(&mut self.limbs);
        self.limbs = limbs;
    }

    /// Returns the float nearest to this number times 2^exponent; the even one on a tie.
    fn to_f64(&self, exponent: i64) -> f64 {
        let bits = self.bit_length();
        if bits == 0 {
            return 0.0;
        }
        // Exponent of the last bit that the float keeps; the smallest float is 2^-1074.
        let last = (bits + exponent - 53).max(-1074);
        let dropped = last - exponent;
        let mut kept = self.bits_from(dropped);
        let half = dropped > 0 && self.bit(dropped - 1);
        let more = self.is_inexact || (dropped > 1 && self.any_bit_below(dropped - 1));
        if half && (more || kept & 1 == 1) {
            kept += 1;
        }
        #[expect(clippy::cast_precision_loss, reason = "it has 53 bits at most, or is 2^53")]
        scale(kept as f64, last)
    }

    fn bit_length(&self) -> i64 {
        let top = self.limbs.last().map_or(0, |limb| 32 - i64::from(limb.leading_zeros()));
        top + 32 * (i64::try_from(self.limbs.len()).unwrap_or(i64::MAX) - 1).max(0)
    }

    fn bit(&self, at: i64) -> bool {
        let limb = usize::try_from(at / 32).ok().and_then(|limb| self.limbs.get(limb));
        limb.is_some_and(|limb| limb >> (at % 32) & 1 == 1)
    }

    fn any_bit_below(&self, at: i64) -> bool {
        (0..at).any(|bit| self.bit(bit))
    }

    /// Returns the bits from this one on; callers ask for at most 54.
    fn bits_from(&self, from: i64) -> u64 {
        let from_zero = from.max(0);
        let kept =
            (from_zero..self.bit_length()).rev().fold(0, |kept, bit| kept << 1 | u64::from(self.bit(bit)));
        kept << (from_zero - from)
    }
}

/// Multiplies a float by 2^exponent, in steps that are exact as long as the result is a float.
fn scale(mut float: f64, mut exponent: i64) -> f64 {
    while exponent > 0 && float.is_finite() {
        let step = exponent.min(1000);
        float *= power_of_two(step);
        exponent -= step;
    }
    while exponent < 0 {
        let step = exponent.max(-1000);
        float *= power_of_two(step);
        exponent -= step;
    }
    float
}

/// Returns 2^exponent, for exponents from -1022 to 1023.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(u64::try_from(exponent + 1023).unwrap_or_default() << 52)
}
