//! Reports frames that aren't events.

use super::event_reader::EventReader;
use super::unread::error_in;
use crate::error::quote;
use crate::framing::{Damage, Frame, GarbageReason};
use crate::model::{Failure, FailureCode, WarningCode};

impl EventReader {
    /// Reports a frame that isn't an event, as a warning or as a failure.
    pub(super) fn report(&mut self, fault: Frame<'_>) {
        match fault {
            Frame::Garbage { text, offset, reason } => {
                if reason != GarbageReason::IncompleteJson {
                    self.unread.skip(text, None);
                    if self.unread.is_understood() {
                        self.builder.suspect_error(error_in(text));
                    }
                }
                let message =
                    format!("Skipped {} at byte {offset}: {}", describe_garbage(reason), quote(text));
                self.builder.warn(WarningCode::InvalidEvent, message);
            }
            Frame::Damaged { damage: Damage::CutOff, offset } => {
                let message =
                    format!("The stream ends inside the message at byte {offset}, which is skipped");
                self.builder.warn(WarningCode::InvalidEvent, message);
            }
            Frame::Damaged { damage, offset } => {
                let damage = describe_damage(damage);
                let message =
                    format!("The AWS event stream is damaged: {damage} the message at byte {offset}");
                self.builder.fail(Failure::new(FailureCode::StreamBroken, message));
            }
            Frame::TooLarge { offset } => {
                let limit = self.builder.limits().max_event_bytes;
                let message = format!(
                    "The event at byte {offset} is larger than {limit} bytes. Raise `limits.maxEventBytes` to read it."
                );
                self.builder.exceed(message);
            }
            _ => {}
        }
    }
}

/// Describes what was skipped, for a warning.
fn describe_garbage(reason: GarbageReason) -> &'static str {
    match reason {
        GarbageReason::InvalidJson => "invalid JSON",
        GarbageReason::IncompleteJson => "JSON that the end of the stream cuts off",
        _ => "a line that is neither an event nor JSON",
    }
}

/// Describes the damage of a message, for an error.
fn describe_damage(damage: Damage) -> &'static str {
    match damage {
        Damage::PreludeChecksum => "wrong checksum of the lengths of",
        Damage::Lengths => "impossible lengths in",
        Damage::MessageChecksum => "wrong checksum of",
        _ => "unreadable headers in",
    }
}
