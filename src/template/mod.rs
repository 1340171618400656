//! A faster way through a stream: most records repeat the bytes of the one before but for their text.
//!
//! A record that was read, and of which the provider said that it may [come again](crate::provider::Repeat)
//! with another text, becomes a [`Template`]: its bytes, with holes where its text is and where values are
//! that make no difference. A record that fits needs no parser: all its bytes but those in the holes are known
//! to be right, and what they say is known to do nothing but to place the text.
//!
//! What does not fit to the byte goes the ordinary way, so that nothing depends on a template but the time.

mod bytes;
mod record;

pub(crate) use bytes::begin_with;
pub(crate) use record::{Fit, Fitting, Hole, HoleKind, Template, TextForm};

use crate::provider::Target;

/// How many templates are kept: fragments of parallel tool calls take turns.
const MAX_TEMPLATES: usize = 8;

/// After so many records in a row that fit nothing, only one of so many is made a template: of a stream that never
/// repeats itself there is nothing to learn, and of one that begins to, soon enough.
const PATIENCE: u32 = 16;

/// The templates of a stream that hold at present.
#[derive(Debug, Default)]
pub(crate) struct Templates {
    list: Vec<Template>,
    /// Where the one is that fitted last.
    latest: usize,
    /// How many records in a row have fitted nothing.
    misses: u32,
}

impl Templates {
    /// Whether the record that is to be read now, as it fitted nothing, should become a template.
    pub(crate) fn is_worth_learning(&mut self) -> bool {
        self.misses = self.misses.wrapping_add(1);
        self.misses <= PATIENCE || self.misses.is_multiple_of(PATIENCE)
    }

    /// Takes in a template, in place of all others where it holds only alone.
    pub(crate) fn learn(&mut self, mut template: Template, is_alone: bool) {
        if is_alone || self.list.len() >= MAX_TEMPLATES {
            self.list.clear();
        }
        self.latest = self.list.len();
        template.follower = self.latest;
        self.list.push(template);
    }

    /// Forgets all: something else was read, after which they may not hold.
    pub(crate) fn forget(&mut self) {
        self.list.clear();
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What the text of records belongs to that fit the template of this number.
    pub(crate) fn target(&self, template: usize) -> Option<Target> {
        self.list.get(template).map(Template::target)
    }

    /// Fits the record with which these bytes begin.
    pub(crate) fn fit(&mut self, bytes: &[u8]) -> Fit {
        let mut fit = Fit::None;
        // Fragments of parallel calls take turns: mostly that one comes which came after this one before.
        let first = self.list.get(self.latest).map_or(0, |latest| latest.follower);
        for turn in 0..self.list.len() {
            let at = if turn == 0 { first } else { turn - usize::from(turn <= first) };
            let Some(template) = self.list.get(at) else { break };
            match template.fit(bytes) {
                Fit::None => {}
                Fit::Open => fit = Fit::Open,
                Fit::Whole(mut fitting) => {
                    if let (true, Some(latest)) = (turn > 0, self.list.get_mut(self.latest)) {
                        latest.follower = at;
                    }
                    (self.latest, self.misses) = (at, 0);
                    fitting.template = at;
                    return Fit::Whole(fitting);
                }
            }
        }
        fit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_repeats_is_not_learned_for_ever() {
        let mut templates = Templates::default();
        let learned = (0..1600).filter(|_| templates.is_worth_learning()).count();
        assert_eq!(learned, 16 + 99);
    }
}
