//! The deltas of a content block.

use super::super::block_kind::{BlockKind, DeltaKind, Understood};
use super::{Block, Phase, is_unfinished};
use crate::accumulator::Builder;
use crate::json::{Field, Fragment, Value, fields};
use crate::provider::call_entry::arguments_of;

fields! {
    /// The members of a delta. `estimated_tokens` of a `thinking_delta` is a hint for displays, which the block itself
    /// doesn't have.
    pub(in crate::provider::anthropic_messages) struct Delta {
        kind = "type": String,
        text: String | Number | Boolean,
        citation: Object,
        citations: Array,
        thinking: String | Number | Boolean,
        estimated_tokens: Number,
        signature: String,
        partial_json,
    }
}

impl<'a> Delta<'a> {
    /// Whether the delta only has empty text, thinking or signature.
    pub(in crate::provider::anthropic_messages) fn is_empty(&self) -> bool {
        let pieces = [self.text(), self.thinking(), self.signature()];
        let is_any = self.citation().or(self.citations()).or(self.input()).is_some();
        !is_any && pieces.iter().flatten().count() > 0 && pieces.iter().flatten().all(|piece| piece.is(""))
    }

    /// Returns the input of a tool, or a fragment of it.
    pub(in crate::provider::anthropic_messages) fn input(&self) -> Option<Value<'a>> {
        self.partial_json().or_else(|| arguments_of(self.whole, "input"))
    }
}

impl Block {
    /// Reads a delta. Returns whether it was understood.
    pub(in crate::provider::anthropic_messages) fn read_delta(
        &mut self,
        delta: &Delta<'_>,
        out: &mut Builder,
    ) -> Understood {
        let place = self.place();
        let kind = DeltaKind::of(delta);
        let is_read = match (kind, &mut self.kind) {
            (DeltaKind::Input, BlockKind::ToolUse(input))
                if self.phase == Phase::Open || is_unfinished(&self.raw, place, out) =>
            {
                delta.input().is_none_or(|piece| input.read_delta(piece, place, out))
            }
            (DeltaKind::Input, BlockKind::ToolUse(_)) if self.phase != Phase::Stopped => true,
            (DeltaKind::Input, BlockKind::ServerCall(call))
                if matches!(self.phase, Phase::Repeated { .. }) && call.streamed_input().is_some() =>
            {
                true
            }
            (DeltaKind::Input, BlockKind::ServerCall(call)) => {
                let Some(input) = delta.input() else { return Understood::Yes };
                let object = || Some(Fragment { text: input.compact()?.into(), ..Fragment::default() });
                let piece = input.fragment().or_else(|| object().filter(|_| input.is_object()));
                if let Some(piece) = &piece {
                    call.append_input(piece);
                    self.has_deltas = true;
                    // Also if the block has ended: it then ends again.
                    self.phase = Phase::Open;
                }
                piece.is_some()
            }
            // After the end of the block, text belongs to the answer.
            (DeltaKind::Text, BlockKind::ServerCall(_) | BlockKind::ServerResult(_))
                if self.phase == Phase::Stopped =>
            {
                self.push_text(delta.text(), out)
            }
            (_, BlockKind::ServerCall(_) | BlockKind::ServerResult(_) | BlockKind::Other) => {
                self.has_deltas = true;
                return self.raw.append(delta.whole, &["type"]).into();
            }
            (DeltaKind::Input, _) => return Understood::Stray,
            (DeltaKind::Text, _) => self.push_text(delta.text(), out),
            (DeltaKind::Thinking, _) => {
                let said = delta.thinking().filter(|thinking| !thinking.is(""));
                self.push_thinking(said.or(delta.text()).or(delta.thinking()), out)
            }
            (DeltaKind::Signature, _) => self.push_signature(delta.signature(), out),
            (DeltaKind::Citation, _) => self.push_citations(delta, out),
            (DeltaKind::Other, _) => return Understood::No,
        } && self.read_other_members(kind, delta, out);
        if delta.has_unread() {
            self.raw.append(delta.whole, Delta::READ);
        }
        is_read.into()
    }

    /// Reads members of a delta beside those of its type: gateways put the signature into a `thinking_delta`, and
    /// citations into the delta of their text. Returns whether they were understood.
    /// <https://github.com/maximhq/bifrost/issues/5638>
    fn read_other_members(&mut self, kind: DeltaKind, delta: &Delta<'_>, out: &mut Builder) -> bool {
        let thinking = delta.thinking().filter(|text| kind != DeltaKind::Thinking && !text.is(""));
        let signature = delta.signature().filter(|_| kind != DeltaKind::Signature);
        self.push_thinking(thinking, out)
            && self.push_signature(signature, out)
            && (kind == DeltaKind::Citation || self.push_citations(delta, out))
    }

    pub(super) fn push_text(&mut self, piece: Option<Value<'_>>, out: &mut Builder) -> bool {
        let place = self.place();
        read_piece(piece, |piece| {
            let new_text = self.news(piece, out.text_at(place));
            out.push_text(place, &new_text);
        })
    }

    pub(super) fn push_thinking(&mut self, piece: Option<Value<'_>>, out: &mut Builder) -> bool {
        let place = self.place();
        read_piece(piece, |piece| {
            let news = self.news(piece, out.reasoning_at(place));
            out.push_reasoning(place, &news);
        })
    }

    fn push_signature(&mut self, piece: Option<Value<'_>>, out: &mut Builder) -> bool {
        let place = self.place();
        let Some(piece) = piece.filter(|piece| !piece.is("")) else { return true };
        let Some(piece) = piece.non_empty() else { return false };
        let is_known = match (self.phase, out.signature_at(place)) {
            (_, None) => false,
            (Phase::Repeated { .. }, Some(_)) => true,
            (Phase::Open | Phase::StartedWithText | Phase::Stopped, Some(known)) => known == piece,
        };
        if !is_known {
            out.push_signature(place, piece);
        }
        true
    }

    /// Appends one `citation` or (in older versions) several `citations`.
    fn push_citations(&mut self, delta: &Delta<'_>, out: &mut Builder) -> bool {
        let place = self.place();
        let listed = delta.citations().items();
        for citation in delta.citation().into_iter().chain(listed).filter_map(Value::raw) {
            match &mut self.phase {
                Phase::Repeated { citations, .. }
                    if out.annotations_at(place).get(*citations) == Some(&citation) =>
                {
                    *citations += 1;
                }
                _ => out.push_annotation(place, citation),
            }
        }
        true
    }

    /// Returns the new text of a fragment: all of it, unless the block is sent again. If a block that is sent again
    /// differs from before, its text is appended to the known text.
    fn news<'a>(&mut self, piece: Fragment<'a>, known: &str) -> Fragment<'a> {
        if self.phase == Phase::StartedWithText && !piece.is_empty() {
            self.phase = Phase::Open;
            return if piece.text == known { Fragment::default() } else { piece };
        }
        let Phase::Repeated { bytes, .. } = &mut self.phase else { return piece };
        let (sent, rest) = known.split_at_checked(*bytes).unwrap_or((known, ""));
        if rest.starts_with(&*piece.text) {
            *bytes += piece.text.len();
            return Fragment::default();
        }
        let news =
            piece.text.strip_prefix(rest).map_or_else(|| format!("{sent}{}", piece.text), str::to_owned);
        self.phase = Phase::Open;
        Fragment { text: news.into(), ..piece }
    }
}

/// Reads a fragment of text, if there is one. Returns `false` if the value isn't text.
fn read_piece<'a>(piece: Option<Value<'a>>, read: impl FnOnce(Fragment<'a>)) -> bool {
    let Some(piece) = piece else { return true };
    piece.scalar_fragment().map(read).is_some()
}
