//! Framing.

use respool::framing::{Frame, Framer, SseDecoder, SseEvent};

use super::pieces::{cuts, pieces};

/// The events match a simple implementation of the WHATWG rules, at every cut.
pub fn sse(data: &[u8]) {
    let expected = simple_events(&String::from_utf8_lossy(data));
    // The decoder replaces invalid UTF-8 per line, the simple implementation in the whole text.
    if std::str::from_utf8(data).is_ok() {
        assert_eq!(events([data]), expected, "{:?}", String::from_utf8_lossy(data));
    }
    let whole = events([data]);
    for cut in cuts(data) {
        assert_eq!(events(pieces(data, &cut)), whole, "{data:?} {cut:?}");
    }
}

type Event = (String, String, String, Option<u64>);

fn events<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> Vec<Event> {
    let mut events = Vec::new();
    let mut note = |event: SseEvent<'_>| {
        events.push((event.event.to_owned(), event.data.to_owned(), event.id.to_owned(), event.retry));
    };
    let mut decoder = SseDecoder::new();
    pieces.into_iter().for_each(|piece| decoder.push(piece, &mut note));
    decoder.finish(&mut note);
    events
}

/// <https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation>, except that the last
/// event needs no empty line after it.
fn simple_events(text: &str) -> Vec<Event> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    let (mut events, mut name, mut data, mut id, mut retry) =
        (Vec::new(), String::new(), None::<String>, String::new(), None);
    for line in text.split('\n').chain([""]) {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "" if line.is_empty() => {
                if let Some(data) = data.take() {
                    events.push((name.clone(), data, id.clone(), retry.take()));
                }
                name.clear();
            }
            "event" => value.clone_into(&mut name),
            "data" => {
                data = Some(data.map_or_else(|| value.to_owned(), |before| format!("{before}\n{value}")))
            }
            "id" if !value.contains('\0') => value.clone_into(&mut id),
            "retry" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                retry = value.parse().ok().or(retry);
            }
            _ => {}
        }
    }
    // An event without data isn't dispatched.
    events
}

/// The frames are the same at every cut, and JSON frames are valid JSON.
pub fn framing(data: &[u8]) {
    for limit in [usize::MAX, 24] {
        let whole = frames(limit, [data]);
        for cut in cuts(data) {
            assert_eq!(
                frames(limit, pieces(data, &cut)),
                whole,
                "{:?} {cut:?}",
                String::from_utf8_lossy(data)
            );
        }
    }
}

fn frames<'p>(limit: usize, pieces: impl IntoIterator<Item = &'p [u8]>) -> Vec<String> {
    let mut frames = Vec::new();
    let mut note = |frame: Frame<'_>| {
        if let Frame::Json { text, .. } = frame {
            // Unescaped control characters other than line breaks are allowed in strings.
            let text = text.replace(|byte| byte < ' ' && !matches!(byte, '\n' | '\r'), " ");
            assert!(serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok(), "{text:?}");
        }
        frames.push(format!("{frame:?}"));
    };
    let mut framer = Framer::new(limit);
    pieces.into_iter().for_each(|piece| framer.push(piece, &mut note));
    framer.finish(&mut note);
    frames
}
