//! Text, reasoning and the other content parts of a response.

use super::Builder;
use crate::accumulator::channel::Novelty;
use crate::accumulator::choice::{Part, PartKind, audio_part};
use crate::accumulator::journal::Note;
use crate::accumulator::place::Place;
use crate::base64::join_base64;
use crate::collect::Collect;
use crate::json::{Fragment, Object, RawJson, Value, strip_long_prefix};
use crate::model::{ContentPart, Delta, WarningCode};

/// Maximum number of parts of a choice. Citations split a response into many parts, but far fewer than this.
const MAX_PARTS: usize = 1 << 14;

impl Builder {
    /// Appends text, which may repeat all text before it.
    pub fn push_text(&mut self, place: Place, fragment: &Fragment<'_>) {
        if self.is_searched() {
            return self.search(place, fragment, self.novelty());
        }
        self.add_fragment(PartKind::Text, place, fragment, self.novelty());
    }

    /// Appends reasoning, which may repeat all reasoning before it.
    pub fn push_reasoning(&mut self, place: Place, fragment: &Fragment<'_>) {
        if !self.is_searched() || !self.repeats_text_reasoning(place, fragment) {
            self.add_fragment(PartKind::Reasoning, place, fragment, self.novelty());
        }
    }

    /// Returns how much of a pushed fragment is new.
    fn novelty(&self) -> Novelty {
        if self.is_joined { Novelty::AllNew } else { Novelty::MaybeRepeated }
    }

    /// Appends text that is certainly new, not a repetition of all text before it.
    pub(crate) fn append_text(&mut self, place: Place, fragment: &Fragment<'_>) {
        if self.is_searched() {
            return self.search(place, fragment, Novelty::AllNew);
        }
        self.push(PartKind::Text, place, fragment);
    }

    /// Appends reasoning that is certainly new, not a repetition of all reasoning before it.
    pub(crate) fn append_reasoning(&mut self, place: Place, fragment: &Fragment<'_>) {
        self.push(PartKind::Reasoning, place, fragment);
    }

    /// Appends to the refusal.
    pub fn push_refusal(&mut self, place: Place, fragment: &Fragment<'_>) {
        self.push(PartKind::Refusal, place, fragment);
    }

    /// Appends a piece of the signature of a reasoning part.
    pub fn push_signature(&mut self, place: Place, piece: &str) {
        if let Some(Part::Reasoning { signature, .. }) = self.part(place, PartKind::Reasoning) {
            signature.get_or_insert_default().push_str(piece);
            self.log.note(Note::Signature { kind: PartKind::Reasoning, place });
        }
    }

    /// Sets the phase of the message at a place: `commentary` or `final_answer`. The first one wins.
    pub fn set_phase(&mut self, place: Place, phase: &str) {
        if let Some(choice) = self.choice_at(place.choice).and_then(|at| self.choices.get_mut(at)) {
            choice.set_phase(place.slot, phase);
        }
    }

    /// Appends a piece of the signature of a text part.
    pub fn push_text_signature(&mut self, place: Place, piece: &str) {
        if let Some(Part::Text { signature, .. }) = self.part(place, PartKind::Text) {
            signature.get_or_insert_default().push_str(piece);
            self.log.note(Note::Signature { kind: PartKind::Text, place });
        }
    }

    /// Sets the encrypted form of a reasoning part.
    pub fn set_encrypted(&mut self, place: Place, data: &str) {
        if let Some(Part::Reasoning { encrypted, .. }) = self.part(place, PartKind::Reasoning) {
            *encrypted = Some(data.to_owned());
            self.log.note(Note::Encrypted { place });
        }
    }

    /// Appends a piece of the encrypted form of a reasoning part, which may be base64.
    pub fn push_encrypted(&mut self, place: Place, piece: &str) {
        if let Some(Part::Reasoning { encrypted, .. }) = self.part(place, PartKind::Reasoning) {
            join_base64(encrypted.get_or_insert_default(), piece);
            self.log.note(Note::Encrypted { place });
        }
    }

    /// Sets the provider's id of a reasoning part. The first one wins.
    pub fn set_reasoning_id(&mut self, place: Place, text: &str) {
        if let Some(Part::Reasoning { id, .. }) = self.part(place, PartKind::Reasoning) {
            id.get_or_insert_with(|| text.to_owned());
        }
    }

    /// Sets the name of the format of a reasoning part's signature and encrypted form, if it isn't the provider's own.
    /// The first one wins.
    pub fn set_reasoning_format(&mut self, place: Place, name: &str) {
        if let Some(Part::Reasoning { format, .. }) = self.part(place, PartKind::Reasoning) {
            format.get_or_insert_with(|| name.to_owned());
        }
    }

    /// Adds an annotation of the text, and emits it as a delta.
    pub fn push_annotation(&mut self, place: Place, annotation: RawJson) {
        let choice = place.choice;
        let annotation = self.adjusted_annotation(place, annotation);
        self.log.add(|| Delta::Annotation { annotation: annotation.clone(), choice });
        if let Some(Part::Text { annotations, .. }) = self.part(place, PartKind::Text) {
            annotations.push(annotation);
            let end = annotations.len();
            self.log.note(Note::Annotations { place, end });
        }
    }

    /// Adds log probabilities of tokens of the text.
    pub fn push_logprobs(&mut self, place: Place, tokens: Vec<RawJson>) {
        if !tokens.is_empty()
            && let Some(Part::Text { logprobs, .. }) = self.part(place, PartKind::Text)
        {
            logprobs.extend(tokens);
            let end = logprobs.len();
            self.log.note(Note::Logprobs { place, end });
        }
    }

    /// Replaces the annotations of the text with all those sent at the end, unless they are fewer. Emits a delta for
    /// each additional one.
    pub fn complete_annotations(&mut self, place: Place, whole: Vec<RawJson>) {
        let known = self.annotations_at(place).len();
        if self.is_halted || whole.is_empty() || whole.len() < known {
            return;
        }
        let whole: Vec<RawJson> =
            whole.into_iter().map(|annotation| self.adjusted_annotation(place, annotation)).collect_vec();
        for annotation in whole.iter().skip(known) {
            self.log.add(|| Delta::Annotation { annotation: annotation.clone(), choice: place.choice });
        }
        if let Some(Part::Text { annotations, .. }) = self.part(place, PartKind::Text) {
            *annotations = whole;
            let end = annotations.len();
            self.log.note(Note::Annotations { place, end });
        }
    }

    /// Replaces the log probabilities of the text with all those sent at the end, unless they are fewer.
    pub fn complete_logprobs(&mut self, place: Place, whole: Vec<RawJson>) {
        if whole.is_empty() || whole.len() < self.logprobs_at(place).len() {
            return;
        }
        if let Some(Part::Text { logprobs, .. }) = self.part(place, PartKind::Text) {
            *logprobs = whole.into();
            let end = logprobs.len();
            self.log.note(Note::Logprobs { place, end });
        }
    }

    /// Appends audio: an object with any of `id`, `data` (a piece of base64), `transcript` (a piece of text) and other
    /// members.
    pub fn push_audio(&mut self, place: Place, audio: Value<'_>) {
        let Some(Part::Audio(known)) = self.part(place, PartKind::Audio) else { return };
        let mut piece = Object::default();
        for (name, member) in audio.others(&[]) {
            piece.put(&name, member);
            match (&*name, member.text()) {
                // Each piece may have padding of its own.
                ("data", Some(data)) => known.append_string_with(&name, &data, join_base64),
                ("transcript", Some(transcript)) => known.join(&name, &transcript),
                _ => known.put(&name, member),
            }
        }
        self.log.note(Note::Audio { place });
        self.log.add(|| Delta::Audio { part: audio_part(&piece), choice: place.choice });
    }

    /// Completes the audio at a place, given all of it, and emits a delta with the missing rest. Returns `false` if no
    /// audio has been received there.
    pub fn complete_audio(&mut self, place: Place, whole: Value<'_>) -> bool {
        if self.find_part(place, PartKind::Audio).is_none() {
            return false;
        }
        if let Some(Part::Audio(known)) = self.part(place, PartKind::Audio) {
            let mut missing = Object::default();
            for (name, member) in whole.others(&[]).filter(|(_, member)| !member.is("")) {
                let (known_text, text) =
                    (known.text(&name).unwrap_or_default(), member.text().unwrap_or_default());
                if !text.is_empty() && known_text.starts_with(&*text) {
                    continue;
                }
                let rest = strip_long_prefix(&text, &known_text).unwrap_or_default();
                if !rest.is_empty() {
                    missing.join(&name, rest);
                }
                known.put(&name, member);
            }
            self.log.note(Note::Audio { place });
            if !missing.is_empty() {
                self.log.add(|| Delta::Audio { part: audio_part(&missing), choice: place.choice });
            }
        }
        true
    }

    /// Sets a part that arrives as a whole, replacing the one at its place. If the part is new or changed, emits a
    /// delta for a server tool, image or audio.
    pub fn set_part(&mut self, place: Place, content: ContentPart) {
        let Some(Part::Whole(known)) = self.part(place, PartKind::Whole) else { return };
        if known.raw() == content.raw() {
            return;
        }
        known.clone_from(&content);
        self.log.note(Note::Part { place });
        self.emit_part(place.choice, content);
    }

    /// Emits a piece of a part as a delta, without keeping it: the provider keeps the pieces and
    /// [sets](Self::keep_part) the part when it is whole.
    pub fn emit_part(&mut self, choice: u32, part: ContentPart) {
        self.log.add_part(choice, part);
    }

    /// Sets a part that arrives as a whole and has already been emitted as deltas.
    pub fn keep_part(&mut self, place: Place, content: ContentPart) {
        if let Some(Part::Whole(known)) = self.part(place, PartKind::Whole) {
            *known = content;
            self.log.note(Note::Part { place });
        }
    }

    /// Returns the text at a place so far, as the provider sent it.
    pub fn text_at(&self, place: Place) -> &str {
        if self.is_searched() {
            return self.searched_text(place);
        }
        self.channel_text(place, PartKind::Text)
    }

    /// Returns the reasoning at a place so far.
    pub fn reasoning_at(&self, place: Place) -> &str {
        self.channel_text(place, PartKind::Reasoning)
    }

    /// Returns the refusal at a place so far.
    pub fn refusal_at(&self, place: Place) -> &str {
        self.channel_text(place, PartKind::Refusal)
    }

    /// Returns the annotations so far of the text at a place.
    pub fn annotations_at(&self, place: Place) -> &[RawJson] {
        match self.find_part(place, PartKind::Text) {
            Some(Part::Text { annotations, .. }) => annotations,
            _ => &[],
        }
    }

    /// Returns the log probabilities so far of the text at a place.
    pub fn logprobs_at(&self, place: Place) -> &[RawJson] {
        match self.find_part(place, PartKind::Text) {
            Some(Part::Text { logprobs, .. }) => logprobs,
            _ => &[],
        }
    }

    /// Returns the signature so far of the reasoning at a place.
    pub fn signature_at(&self, place: Place) -> Option<&str> {
        match self.find_part(place, PartKind::Reasoning)? {
            Part::Reasoning { signature, .. } => signature.as_deref(),
            _ => None,
        }
    }

    /// Adds a fragment that is certainly new.
    pub(super) fn push(&mut self, kind: PartKind, place: Place, fragment: &Fragment<'_>) {
        self.add_fragment(kind, place, fragment, Novelty::AllNew);
    }

    fn add_fragment(&mut self, kind: PartKind, place: Place, fragment: &Fragment<'_>, news: Novelty) {
        // Fast path: nearly all text continues the part that was extended last.
        if let (false, [choice]) = (self.is_halted, &mut *self.choices)
            && choice.index == place.choice
            && let Some(channel) = choice.latest_text(place.slot, kind)
        {
            let before = channel.as_str().len();
            channel.add(fragment, news);
            return self.log.add_piece(kind, place, before, channel.text_after(before));
        }
        self.add_fragment_slow(kind, place, fragment, news);
    }

    /// Slow path of [`add_fragment`](Self::add_fragment): the first text, text of another part than before, or several
    /// choices.
    #[inline(never)]
    fn add_fragment_slow(&mut self, kind: PartKind, place: Place, fragment: &Fragment<'_>, news: Novelty) {
        if fragment.is_empty() || self.part(place, kind).is_none() {
            return;
        }
        // Looked up again instead of borrowed, because the log is borrowed too; the choice caches its latest part.
        let Ok(at) = self.choices.binary_search_by_key(&place.choice, |choice| choice.index) else { return };
        // Text held back in the previous part is emitted first.
        if let Some(choice) = self.choices.get_mut(at)
            && let Some((slot, channel)) = choice.text_before(place.slot, kind)
        {
            let before = channel.as_str().len();
            self.log.add_piece(kind, Place { slot, ..place }, before, channel.settle());
        }
        // Warns before the text is added. Text merged into the same delta then also follows the warning, as it does
        // with one delta per event.
        let is_late = self.choices.get_mut(at).is_some_and(|choice| choice.is_out_of_order(place.slot, kind));
        if is_late && self.begins_late {
            self.warn_missed_beginning();
        } else if is_late {
            let message = format!("The {} arrived out of order; the result has it in order", kind.name());
            self.warn_once(WarningCode::OutOfOrder, message);
        }
        if kind == PartKind::Text
            && let Some(delta) = self.choices.get_mut(at).and_then(|choice| choice.emit_phase(place.slot))
        {
            self.log.add(|| delta);
        }
        let part = self.choices.get_mut(at).and_then(|choice| choice.part(place.slot, kind));
        if let Some(channel) = part.and_then(Part::channel) {
            let before = channel.as_str().len();
            channel.add(fragment, news);
            self.log.add_piece(kind, place, before, channel.text_after(before));
        }
    }

    /// Returns the part at a place, creating it if necessary.
    pub(super) fn part(&mut self, place: Place, kind: PartKind) -> Option<&mut Part> {
        let at = self.choice_at(place.choice)?;
        let choice = self.choices.get(at)?;
        if choice.part_count() >= MAX_PARTS && choice.find_part(place.slot, kind).is_none() {
            self.exceed(format!("The response has more than {MAX_PARTS} content parts"));
            return None;
        }
        self.choices.get_mut(at)?.part(place.slot, kind)
    }

    pub(super) fn find_part(&self, place: Place, kind: PartKind) -> Option<&Part> {
        self.find_choice(place.choice)?.find_part(place.slot, kind)
    }

    pub(super) fn channel_text(&self, place: Place, kind: PartKind) -> &str {
        self.find_choice(place.choice).and_then(|choice| choice.text_at(place.slot, kind)).unwrap_or_default()
    }
}
