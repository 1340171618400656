//! Moving streams between threads, as the tasks of an async server do, and sharing bodies.

use respool::json::Document;
use respool::model::{Api, Ending};
use respool::text::TextOptions;
use respool::{StreamAccumulator, StreamOptions, decode};

#[test]
fn a_stream_moves_between_threads() {
    let tools = Document::parse(r#"{"tools": [{"name": "tide"}], "formats": ["auto"]}"#, 64).unwrap();
    let text = Some(TextOptions::new(tools.root()).unwrap().into());
    let options =
        StreamOptions { api: Some(Api::OpenaiChat), text, partial_json: true, ..StreamOptions::default() };
    let mut stream = StreamAccumulator::new(options).unwrap();
    for event in [
        r#"{"content": "One mom"}"#,
        r#"{"content": "ent. <tool_call>{\"name\": \"ti"}"#,
        r#"{"content": "de\"}</tool_call>"}"#,
    ] {
        let bytes = format!("data: {{\"choices\": [{{\"delta\": {event}}}]}}\n\n");
        stream = std::thread::spawn(move || {
            stream.push_bytes(bytes.as_bytes()).unwrap();
            stream
        })
        .join()
        .unwrap();
    }
    let result = stream.finish();
    assert_eq!((result.text.as_str(), result.ending), ("One moment. ", Ending::Truncated));
    assert_eq!(result.tool_calls.first().map(|call| call.name.as_str()), Some("tide"));
}

#[test]
fn a_body_is_shared_by_threads() {
    let document = Document::parse(r#"{"choices": [{"message": {"content": "At 9:35."}}]}"#, 64).unwrap();
    let texts = std::thread::scope(|scope| {
        let threads = [(); 2]
            .map(|()| scope.spawn(|| decode(document.root()).unwrap().response_text().map(str::to_owned)));
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(texts, [Some("At 9:35.".to_owned()), Some("At 9:35.".to_owned())]);
}
