//! Converts JSON numbers to the nearest 64-bit floats, as JavaScript does.
//!
//! The standard library does so with a table of 10 KB, a tenth of what the whole module may weigh. Nearly all numbers
//! need only one exact operation, or one multiplication by the reciprocal of a power of five; the others are left to
//! [`decimal`].
#![expect(clippy::inline_always, reason = "embeddings are many numbers; the crate is compiled for size")]

use crate::json::decimal;
use crate::json::lanes::{byte, chunk, end_of_digits, read_places};

/// The powers of ten that a float represents exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// 2^53: floats represent all integers up to it exactly.
const MAX_EXACT: u64 = 1 << 53;

/// Number of digits that always fit 64 bits.
const MAX_DIGITS: usize = 19;

/// Returns the float nearest to a valid JSON number; infinity if it is too large.
pub(super) fn to_f64(text: &str) -> f64 {
    // Without `read_number`, which is long when inlined: few numbers are read on their own.
    match text.parse::<u64>() {
        #[expect(clippy::cast_precision_loss, reason = "it is exact")]
        Ok(number) if number <= MAX_EXACT => number as f64,
        _ => decimal::to_f64(text),
    }
}

/// Reads the number at `start`, and returns the nearest float and the end. `None` if the number isn't valid JSON.
#[inline(always)]
pub(super) fn read_number(text: &str, start: usize) -> Option<(f64, usize)> {
    match read_fraction(text.as_bytes(), start) {
        None => read_any(text, start),
        read => read,
    }
}

#[inline(always)]
fn read_any(text: &str, start: usize) -> Option<(f64, usize)> {
    let bytes = text.as_bytes();
    let is_negative = byte(bytes, start) == b'-';
    let first = start + usize::from(is_negative);
    let (mut mantissa, mut at) = read_few_digits(bytes, first, 0);
    let mut count = at - first;
    if count == 0 || (count > 1 && byte(bytes, first) == b'0') {
        return None;
    }
    let mut exponent = 0i64;
    if byte(bytes, at) == b'.' {
        let point = at;
        (mantissa, at) = read_digits(bytes, point + 1, mantissa);
        let places = at - point - 1;
        if places == 0 {
            return None;
        }
        exponent = exponent.wrapping_sub_unsigned(places as u64);
        count += places;
    }
    if let b'e' | b'E' = byte(bytes, at) {
        let (power, end) = read_exponent(bytes, at + 1)?;
        exponent += power;
        at = end;
    }
    let digits = || count - leading_zeros(bytes.get(first..at).unwrap_or_default());
    let is_all = count <= MAX_DIGITS || digits() <= MAX_DIGITS;
    let magnitude = if is_all { nearest(mantissa, exponent) } else { None };
    Some(match magnitude {
        // Signs are unpredictable, so there is no branch.
        Some(magnitude) => (f64::from_bits(magnitude.to_bits() | u64::from(is_negative) << 63), at),
        None => (decimal::to_f64(text.get(start..at).unwrap_or_default()), at),
    })
}

/// Reads a number below one with up to 15 decimal places, the usual number in embeddings. `None` for any other.
#[inline(always)]
fn read_fraction(bytes: &[u8], start: usize) -> Option<(f64, usize)> {
    let is_negative = byte(bytes, start) == b'-';
    let point = start + usize::from(is_negative) + 1;
    if byte(bytes, point - 1) != b'0' || byte(bytes, point) != b'.' {
        return None;
    }
    let (mantissa, places) = read_places(chunk(bytes, point + 1)?);
    let end = point + 1 + places;
    let (Some(power), false, false) = (
        POWERS.get(places),
        matches!(places, 0 | 16..) || mantissa > MAX_EXACT,
        byte(bytes, end) | 0x20 == b'e',
    ) else {
        return None;
    };
    #[expect(clippy::cast_precision_loss, reason = "it is exact")]
    let magnitude = mantissa.cast_signed() as f64 / power;
    Some((f64::from_bits(magnitude.to_bits() | u64::from(is_negative) << 63), end))
}

/// The powers of ten for up to eight digits.
const TENS: [u64; 9] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Appends digits to a number, of which the last 64 bits are kept.
#[inline(always)]
fn read_digits(bytes: &[u8], start: usize, mut number: u64) -> (u64, usize) {
    // Finding the end first keeps the next number from waiting for the value of this one.
    let end = end_of_digits(bytes, start);
    let mut at = start;
    while at < end {
        let count = (end - at).min(8);
        let (Some(word), Some(tens)) = (chunk(bytes, at), TENS.get(count)) else {
            return read_few_digits(bytes, at, number);
        };
        number = number.wrapping_mul(*tens).wrapping_add(number_of_digits(u64::from_le_bytes(word), count));
        at += count;
    }
    (number, end)
}

/// Appends digits one by one.
#[inline(always)]
fn read_few_digits(bytes: &[u8], mut at: usize, mut number: u64) -> (u64, usize) {
    while let digit @ b'0'..=b'9' = byte(bytes, at) {
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit & 0xf));
        at += 1;
    }
    (number, at)
}

/// Returns the number that the first `count` digits form, one to eight.
#[inline(always)]
fn number_of_digits(word: u64, count: usize) -> u64 {
    // Zeros are put before them. Then neighbours are merged: digits to pairs, pairs to fours, fours to all.
    let digits = (word << (64 - 8 * count)) & 0x0f0f_0f0f_0f0f_0f0f;
    let pairs = digits.wrapping_mul(10 * 0x100 + 1) >> 8;
    let fours = (pairs & 0x00ff_00ff_00ff_00ff).wrapping_mul(100 * 0x1_0000 + 1) >> 16;
    (fours & 0x0000_ffff_0000_ffff).wrapping_mul(10_000 * 0x1_0000_0000 + 1) >> 32
}

/// Reads an exponent after its `e`, and returns its end too. An exponent beyond the range of floats is capped. `None`
/// if it has no digit.
fn read_exponent(bytes: &[u8], mut at: usize) -> Option<(i64, usize)> {
    let is_negative = byte(bytes, at) == b'-';
    at += usize::from(matches!(byte(bytes, at), b'+' | b'-'));
    let (start, mut size) = (at, 0);
    while let digit @ b'0'..=b'9' = byte(bytes, at) {
        size = (size * 10 + i64::from(digit & 0xf)).min(1 << 40);
        at += 1;
    }
    (at > start).then_some((if is_negative { -size } else { size }, at))
}

/// Returns the number of zeros before the first other digit.
#[cold]
fn leading_zeros(number: &[u8]) -> usize {
    let zeros = number.iter().take_while(|digit| matches!(digit, b'0' | b'.'));
    zeros.filter(|digit| **digit == b'0').count()
}

/// Returns the float nearest to `mantissa` × 10^`exponent`, if one operation suffices.
#[inline(always)]
fn nearest(mantissa: u64, exponent: i64) -> Option<f64> {
    let size = exponent.unsigned_abs().min(1000) as usize;
    // A rounded operand would mean two roundings.
    if mantissa <= MAX_EXACT {
        if let Some(power) = POWERS.get(size) {
            #[expect(clippy::cast_precision_loss, reason = "it is exact")]
            let float = mantissa.cast_signed() as f64;
            return Some(if exponent < 0 { float / power } else { float * power });
        }
        if mantissa == 0 {
            return Some(0.0);
        }
    }
    if exponent < 0 { nearest_fraction(mantissa, size) } else { None }
}

/// Number of reciprocals of powers of five.
const RECIPROCALS: usize = 36;

/// Returns 2^b / 5^n, rounded down, for the b that gives it 128 bits: the upper half, and the lower one.
#[expect(clippy::indexing_slicing, reason = "at compile time")]
const fn reciprocals() -> [(u64, u64); RECIPROCALS] {
    let mut table = [(0, 0); RECIPROCALS];
    let (mut n, mut power) = (1, 5u128);
    while n < RECIPROCALS {
        // Long division of 2^b, bit by bit.
        let (mut quotient, mut rest) = (0u128, 1u128);
        while quotient >> 127 == 0 {
            rest *= 2;
            quotient *= 2;
            if rest >= power {
                rest -= power;
                quotient += 1;
            }
        }
        table[n] = ((quotient >> 64) as u64, quotient as u64);
        power *= 5;
        n += 1;
    }
    table
}

/// Returns the float nearest to `mantissa` / 10^`places`, unless it is too close to call.
///
/// The digits of the result are those of the product of the mantissa, shifted to fill its 64 bits, and the reciprocal
/// of 5^`places`. Without the lower half of the reciprocal, the product is too small by less than 2^64: its upper half
/// may be too small by one. That only matters if the last nine bits of the upper half, which no float keeps, are all
/// ones. Halfway between two floats they would be zeros, with nothing below them.
#[inline(always)]
fn nearest_fraction(mantissa: u64, places: usize) -> Option<f64> {
    static TABLE: [(u64, u64); RECIPROCALS] = reciprocals();
    const UNKEPT: u64 = 0x1ff;
    let reciprocal = TABLE.get(places)?;
    let zeros = mantissa.leading_zeros();
    let (mut high, mut low) = multiply(mantissa << zeros, reciprocal.0);
    if high & UNKEPT == UNKEPT {
        let (missing, _) = multiply(mantissa << zeros, reciprocal.1);
        let (sum, has_carry) = low.overflowing_add(missing);
        (high, low) = (high + u64::from(has_carry), sum);
    }
    if (high & UNKEPT == UNKEPT && low == u64::MAX) || (high & UNKEPT == 0 && low == 0) {
        return None;
    }
    // The bits that are cut off aren't all zeros, so the last bit is set before rounding.
    #[expect(clippy::cast_precision_loss, reason = "it is the nearest float")]
    let digits = (high >> 1 | 1).cast_signed() as f64;
    // 2^b / 5^n has 64 bits if b is 63 plus the number of bits of 5^n, which is 2.3219 n.
    let places = places as u64;
    let power_bits = ((places * 152_170) >> 16) + 1;
    let scale = f64::from_bits((1023 + 2 - power_bits - places - u64::from(zeros)) << 52);
    Some(digits * scale)
}

/// Returns the upper and the lower half of a product. WebAssembly has no instruction for it.
#[inline(always)]
fn multiply(a: u64, b: u64) -> (u64, u64) {
    const LOW: u64 = 0xffff_ffff;
    let low = (a & LOW) * (b & LOW);
    let middle = (a >> 32) * (b & LOW) + (low >> 32);
    let other = (a & LOW) * (b >> 32) + (middle & LOW);
    let high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
    (high, other << 32 | (low & LOW))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{read_fraction, read_number, to_f64};
    use crate::json::decimal;

    fn check(text: &str) {
        let expected: f64 = text.parse().unwrap();
        assert_eq!(to_f64(text).to_bits(), expected.to_bits(), "{text}");
        assert_eq!(decimal::to_f64(text).to_bits(), expected.to_bits(), "{text} by long arithmetic");
        let within = format!("[{text} ,");
        let (number, end) = read_number(&within, 1).unwrap();
        assert_eq!((number.to_bits(), end), (expected.to_bits(), text.len() + 1), "{within}");
        let within = format!("{within} and what follows");
        if let Some((number, end)) = read_fraction(within.as_bytes(), 1) {
            assert_eq!((number.to_bits(), end), (expected.to_bits(), text.len() + 1), "{within}");
        }
    }

    #[test]
    fn hard_cases_are_rounded_correctly() {
        for text in [
            "0",
            "-0",
            "0.0",
            "-0.0e5",
            "1",
            "-12.5",
            "1e22",
            "1e23",
            "1e-22",
            "1e-23",
            "9007199254740991",
            "9007199254740992",
            "9007199254740993",
            "9007199254740995",
            "1e308",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1e309",
            "1e400",
            "-1e400",
            "1e99999999999999999999",
            "2.2250738585072014e-308",
            "2.2250738585072011e-308",
            "4.9e-324",
            "5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "1e-400",
            "1e-99999999999999999999",
            "0.1",
            "0.3",
            "123456789012345678901234567890",
            "8.988465674311579e307",
            "2.5000000000000000000000000000000000000000000000000000000001",
        ] {
            check(text);
        }
    }

    #[test]
    fn further_digits_break_a_tie() {
        // Halfway between 1 and the next float, and slightly more after many digits.
        let half = "1.00000000000000011102230246251565404236316680908203125";
        check(half);
        check(&format!("{half}{}", "0".repeat(2000)));
        check(&format!("{half}{}1", "0".repeat(2000)));
        check(&format!("{}{}", "9".repeat(900), "e-880"));
    }

    proptest! {
        #[test]
        fn every_float_round_trips(bits in any::<u64>()) {
            let float = f64::from_bits(bits);
            prop_assume!(float.is_finite());
            check(&format!("{float}"));
            check(&format!("{float:e}"));
        }

        #[test]
        fn f32_values_round_trip(bits in any::<u32>()) {
            let float = f32::from_bits(bits);
            prop_assume!(float.is_finite());
            check(&format!("{float}"));
            check(&format!("{}", f64::from(float)));
            check(&format!("{:e}", f64::from(float)));
        }

        #[test]
        fn fractions_are_rounded_once(mantissa in any::<u64>(), places in 1usize..40) {
            check(&format!("{mantissa}e-{places}"));
            check(&format!("0.{mantissa:0>places$}"));
        }

        #[test]
        fn short_fractions_round_trip(text in "-?0\\.[0-9]{1,15}") {
            let within = format!("{text}, and what follows");
            let expected: f64 = text.parse().unwrap();
            let read = read_fraction(within.as_bytes(), 0).map(|(number, end)| (number.to_bits(), end));
            prop_assert_eq!(read, Some((expected.to_bits(), text.len())));
        }

        #[test]
        fn ties_round_to_even(mantissa in 1u64 << 53..1 << 54, places in 1usize..30) {
            // Exactly halfway between two floats, and as near to that as 19 digits can be.
            let halfway = u128::from(mantissa | 1) * 5u128.pow(places as u32);
            check(&format!("{halfway}e-{places}"));
            let near = (u128::from(mantissa | 1) << 6).to_string();
            check(&format!("{}e-{places}", &near[..near.len().min(19)]));
        }

        #[test]
        fn invalid_numbers_are_not_read(text in "-?[0-9]{0,3}[.]?[0-9]{0,3}([eE][+-]?)?[0-9]{0,2}") {
            let read = read_number(&text, 0).filter(|(_, end)| *end == text.len());
            prop_assert_eq!(read.is_some(), serde_json::from_str::<f64>(&text).is_ok());
        }

        #[test]
        fn any_number_is_read_as_the_standard_library_does(text in "-?(0|[1-9][0-9]{0,40})(\\.[0-9]{1,40})?([eE][+-]?[0-9]{1,3})?") {
            check(&text);
        }
    }
}
