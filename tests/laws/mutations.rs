//! Streams damaged in transit: with bytes flipped, removed or duplicated, or mixed with another stream.

use proptest::prelude::*;
use proptest::sample::Index;
use respool::StreamOptions;
use respool::model::Ending;

use crate::corpus::cases;
use crate::corpus::cuts::pieces;
use crate::corpus::streams::read_bytes;
use crate::corpus::wire;

/// The maximum length of the streams. Shorter ones have every kind of event, too.
const MAX_BYTES: usize = 5000;

/// One kind of damage.
#[derive(Debug, Clone)]
enum Damage {
    Flip(Index, u8),
    CutOut(Index, Index),
    Twice(Index, Index),
    /// Inserts a piece of another stream.
    Splice(Index, Index, Index),
    End(Index),
}

fn streams() -> Vec<Vec<u8>> {
    let all = cases::all().into_iter().filter_map(|case| case.events);
    let bytes = all.map(|events| wire::named_sse(&events).into_bytes());
    bytes.filter(|bytes| bytes.len() <= MAX_BYTES).collect()
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<Index>;
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Flip(at, byte)),
        (at(), at()).prop_map(|(from, to)| Damage::CutOut(from, to)),
        (at(), at()).prop_map(|(from, to)| Damage::Twice(from, to)),
        (at(), at(), at()).prop_map(|(at, from, to)| Damage::Splice(at, from, to)),
        at().prop_map(Damage::End),
    ]
}

fn range(bytes: &[u8], from: Index, to: Index) -> std::ops::Range<usize> {
    let (from, to) = (from.index(bytes.len() + 1), to.index(bytes.len() + 1));
    from.min(to)..from.max(to)
}

fn apply(damage: &Damage, bytes: &mut Vec<u8>, other: &[u8]) {
    match damage {
        _ if bytes.is_empty() => {}
        Damage::Flip(at, byte) => {
            let at = at.index(bytes.len());
            bytes[at] = *byte;
        }
        Damage::CutOut(from, to) => {
            bytes.drain(range(bytes, *from, *to));
        }
        Damage::Twice(from, to) => {
            let range = range(bytes, *from, *to);
            let piece = bytes[range.clone()].to_vec();
            bytes.splice(range.end..range.end, piece);
        }
        Damage::Splice(at, from, to) => {
            let at = at.index(bytes.len());
            bytes.splice(at..at, other[range(other, *from, *to)].iter().copied());
        }
        Damage::End(at) => bytes.truncate(at.index(bytes.len())),
    }
}

fn cuts(bytes: &[u8], cuts: &[Index]) -> Vec<usize> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    cuts.sort_unstable();
    cuts
}

#[test]
fn damaged_streams() {
    let streams = streams();
    assert!(streams.len() > 20, "the streams were found");
    let places = || prop::collection::vec(any::<Index>(), 0..6);
    let damages = prop::collection::vec(damage(), 1..4);
    let input = (any::<Index>(), any::<Index>(), damages, places(), places());
    let config = ProptestConfig {
        cases: ProptestConfig::default().cases.max(400),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let outcome = runner.run(&input, |(one, other, damages, first, second)| {
        let (mut bytes, other) = (one.get(&streams).clone(), other.get(&streams));
        for damage in &damages {
            apply(damage, &mut bytes, other);
        }
        let read =
            |places: &[Index]| read_bytes(StreamOptions::default(), pieces(&bytes, &cuts(&bytes, places)));
        let (first, second) = (read(&first), read(&second));
        let shown = String::from_utf8_lossy(&bytes);
        first.check_deltas_in_any_order(&shown);
        second.check_deltas_in_any_order(&shown);
        prop_assert_eq!(&first.result, &second.result, "another cut of {}", shown);
        prop_assert_ne!(first.result.ending, Ending::Open);
        prop_assert_ne!(first.result.ending, Ending::Aborted);
        Ok(())
    });
    assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
}
