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

/// The payloads and headers of complete messages are read back, and the frames are the same at every cut. Each line of
/// `data` is a message, with the event's name before the first colon. A line without a colon has the bytes of other
/// headers.
pub fn messages(data: &[u8]) {
    let (mut bytes, mut expected) = (Vec::new(), Vec::new());
    for line in data.split(|byte| *byte == b'\n') {
        let colon = line.iter().position(|byte| *byte == b':');
        let (name, payload) = colon.map_or((line, &[][..]), |colon| (&line[..colon], &line[colon + 1..]));
        let name = &name[..name.len().min(40)];
        let headers = match (colon, std::str::from_utf8(name)) {
            (None, _) => line.to_vec(),
            (Some(_), Err(_)) => continue,
            (Some(_), Ok(text)) => {
                let payload = String::from_utf8_lossy(payload);
                if !payload.trim_ascii().is_empty() {
                    expected.push(format!("{:?}", (text, &*payload)));
                }
                [b"\x0b:event-type\x07\0", &[name.len() as u8][..], name].concat()
            }
        };
        bytes.extend(message(&headers, payload));
    }
    let whole = frames(usize::MAX, [&*bytes]);
    if data.contains(&b':') && data.split(|byte| *byte == b'\n').all(|line| line.contains(&b':')) {
        let mut found = Vec::new();
        Framer::new(usize::MAX).push(&bytes, &mut |frame| {
            if let Frame::Event { name, data, .. } = frame {
                found.push(format!("{:?}", (name, data)));
            }
        });
        assert_eq!(found, expected, "{data:?}");
    }
    for cut in cuts(&bytes) {
        assert_eq!(frames(usize::MAX, pieces(&bytes, &cut)), whole, "{data:?} {cut:?}");
    }
    for byte in (0..bytes.len()).step_by(1 + bytes.len() / 50) {
        let mut damaged = bytes.clone();
        damaged[byte] ^= 0x10;
        let found = frames(usize::MAX, [&*damaged]);
        assert!(
            byte == 0 || found.last().is_some_and(|last| last.starts_with("Damaged")),
            "{byte}: {found:?}"
        );
    }
}

/// Builds a message from headers and a payload.
fn message(headers: &[u8], payload: &[u8]) -> Vec<u8> {
    let crc = |bytes: &[u8]| {
        let shift = |rest: u32| (rest >> 1) ^ (0xedb8_8320 * (rest & 1));
        !bytes.iter().fold(u32::MAX, |rest, byte| (0..8).fold(rest ^ u32::from(*byte), |rest, _| shift(rest)))
    };
    let total = (16 + headers.len() + payload.len()) as u32;
    let mut bytes = [total.to_be_bytes(), (headers.len() as u32).to_be_bytes()].concat();
    bytes.extend(crc(&bytes).to_be_bytes());
    bytes.extend([headers, payload].concat());
    bytes.extend(crc(&bytes).to_be_bytes());
    bytes
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
