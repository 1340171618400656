use super::parts::MAX_SELECTORS;
use super::*;

static SHAPE: Shape = Shape { path: &["delta"], ignored: &["sequence_number"], usage: None };

/// Layouts that have learned one record and its parts.
struct Reading {
    layouts: Layouts,
    hint: Hint,
}

impl Reading {
    fn of(json: &str) -> Self {
        let mut reading = Self { layouts: Layouts::default(), hint: Hint::default() };
        let mut tape = TapeBuffer::new();
        let nodes = Nodes::of(&SHAPE, tape.parse(json, 16).unwrap().root()).unwrap();
        reading.layouts.learn(json.as_bytes(), 0..json.len(), None, &tape, 16, &mut reading.hint);
        let fitting = reading.fitting(json);
        reading.layouts.learn_parts(fitting, &SHAPE, nodes).unwrap();
        reading
    }

    fn fitting<'j>(&mut self, json: &'j str) -> MatchedRecord<'j> {
        self.layouts.match_bytes(json.as_bytes(), 16, &mut self.hint).unwrap();
        self.layouts.matched_record(self.hint.layout(), json.as_bytes())
    }

    /// Returns the key of an event. If the key is new, the event is read as one that repeats none.
    fn key(&mut self, json: &str, known: &[RepeatKey]) -> RepeatKey {
        let fitting = self.fitting(json);
        let key = self.layouts.key(fitting).unwrap();
        if !known.contains(&key) {
            assert!(self.layouts.update(fitting));
        }
        key
    }
}

fn event(number: usize, id: &str, index: usize, model: &str) -> String {
    format!(
        r#"{{"sequence_number":{number},"item_id":"{id}","index":{index},"model":"{model}","delta":"{number}"}}"#
    )
}

#[test]
fn streams_with_other_ids_repeat_their_own_events() {
    let long = |letter: &str| letter.repeat(50);
    let mut reading = Reading::of(&event(0, &long("a"), 0, "m"));
    let streams = [(long("a"), 0, "m"), (long("b"), 0, "m"), (long("a"), 1, "m"), (long("b"), 0, "n")];
    let mut keys = Vec::new();
    // The keys of the streams are settled once each stream was read.
    for round in 0..4 {
        let read: Vec<_> = streams
            .iter()
            .map(|(id, index, model)| reading.key(&event(round, id, *index, model), &keys))
            .collect();
        let is_settled = round >= 2;
        assert!(!is_settled || read == keys, "round {round}: {read:?}, before: {keys:?}");
        keys = read;
    }
    for (at, key) in keys.iter().enumerate() {
        assert!(!keys[at + 1..].contains(key), "{keys:?}");
    }
}

#[test]
fn scalars_that_always_differ_begin_new_generations() {
    let event = |n: usize| {
        let members: Vec<_> =
            (0..=MAX_SELECTORS).map(|member| format!(r#""{member}":{}"#, n + member)).collect();
        format!(r#"{{{},"delta":"a"}}"#, members.join(","))
    };
    let mut reading = Reading::of(&event(0));
    let keys: Vec<_> = (1..6).map(|n| reading.key(&event(n), &[])).collect();
    for (at, key) in keys.iter().enumerate() {
        assert!(!keys[at + 1..].contains(key), "{keys:?}");
    }
    assert!(reading.layouts.list[0].parts.as_ref().unwrap().selectors.len() <= MAX_SELECTORS);
}

#[test]
fn used_layouts_are_kept() {
    let mut reading = Reading::of(r#"{"sequence_number":0,"delta":"a"}"#);
    let mut tape = TapeBuffer::new();
    for other in 0..3 * MAX_LAYOUTS {
        let json = format!(r#"{{"once {other}":{{}}}}"#);
        drop(tape.parse(&json, 16).unwrap());
        reading.layouts.learn(json.as_bytes(), 0..json.len(), None, &tape, 16, &mut reading.hint);
        reading.hint.misses = 0;
        reading.fitting(&format!(r#"{{"sequence_number":{other},"delta":"b"}}"#));
    }
    assert_eq!(reading.layouts.list.len(), MAX_LAYOUTS);
}
