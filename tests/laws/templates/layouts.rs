//! Event layouts of the interfaces whose events repeat. `@` stands for the text, `#` for an irrelevant number, and `%` for an
//! irrelevant value.

/// The events of a stream of one interface.
pub(super) struct Interface {
    /// The first events.
    pub(super) first: &'static [&'static str],
    /// Events that repeat with a different text.
    pub(super) repeated: &'static [&'static str],
    /// Events that may occur in between.
    pub(super) between: &'static [&'static str],
}

pub(super) const INTERFACES: [Interface; 7] =
    [CHAT, ANTHROPIC, RESPONSES, GEMINI, OLLAMA, COHERE, WORKERS_AI];

const CHAT: Interface = Interface {
    first: &[
        r#"{"id":"c","created":#,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
        r#"{"id":"c","created":#,"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"@"}}]}}]}"#,
        r#"{"id":"c","created":#,"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"g","arguments":""}}]}}]}"#,
    ],
    repeated: &[
        r#"{"id":"c","object":"chat.completion.chunk","created":#,"model":"m","choices":[{"index":0,"delta":{"content":"@"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":%}"#,
        r#"{"choices":[{"delta":{"content":"@"}}]}"#,
        r#"{"id":"c","created":#,"choices":[{"index":1,"delta":{"role":"assistant","content":"@"}}],"mood":%}"#,
        r#"{"id":"c","created":#,"choices":[{"index":0,"delta":{"reasoning_content":"@"},"finish_reason":""}]}"#,
        r#"{"id":"c","created":#,"choices":[{"index":0,"delta":{"reasoning":"@","content":""}}]}"#,
        r#"{"id":"c","created":#,"choices":[{"index":0,"delta":{"refusal":"@"}}]}"#,
        r#"{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"@"}}]}}],"obfuscation":%}"#,
        r#"{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"@"}}]}}],"obfuscation":%}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":null,"arguments":"@"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"arguments":"@"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"@"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":#,"id":%,"function":{"name":"f","arguments":"@"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":2,"id":%,"type":"custom","custom":{"name":"h","input":"@"}}]}}]}"#,
        r#"{"choices":[{"delta":{"content":"@","reasoning":"@"}}]}"#,
    ],
    between: &[
        r#"{"choices":[],"usage":{"prompt_tokens":#,"completion_tokens":2}}"#,
        r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
        r#"{"choices":[{"index":1,"delta":{"content":"@"},"finish_reason":"length"}]}"#,
        r#"{"choices":[{"index":0,"delta":{"content":"@"}},{"index":1,"delta":{"content":"@"}}]}"#,
        r#"{"created":#,"seen":%,"choices":[{"delta":{"audio":{"data":"QQ=="},"mood":"@"}}]}"#,
        r#"{"error":{"message":"broken"}}"#,
        "[DONE]",
    ],
};

const GEMINI: Interface = Interface {
    first: &[
        r#"{"candidates":[{"content":{"parts":[{"text":"@"}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":9,"totalTokenCount":9},"modelVersion":"m","responseId":"r"}"#,
    ],
    repeated: &[
        r#"{"candidates":[{"content":{"parts":[{"text":"@"}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":#,"totalTokenCount":#},"modelVersion":"m","responseId":%}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"@","thought":true}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":9,"thoughtsTokenCount":#},"modelVersion":"m","responseId":"r"}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"@"}]},"safetyRatings":[{"category":"c","probability":%}]}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"@"}]},"logprobsResult":{"chosenCandidates":[{"token":%}]}}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"@","thoughtSignature":%}]}}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"@"}]},"index":1,"finishReason":""}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"@"}]}}],"usageMetadata":{"trafficType":%},"createTime":%}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"@"},{"text":"@"}]}}]}"#,
    ],
    between: &[
        r#"{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"a":#}}}]},"finishReason":"MAX_TOKENS"}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"g","willContinue":true}}]}}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":%}]}}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"executableCode":{"language":"PYTHON","code":%}}]}}]}"#,
        r#"{"response":{"candidates":[{"content":{"parts":[{"text":"@"}]}}]}}"#,
        r#"{"candidates":[],"usageMetadata":{"promptTokenCount":#}}"#,
        r#"{"error":{"code":503,"message":"broken","status":"UNAVAILABLE"}}"#,
    ],
};

const ANTHROPIC: Interface = Interface {
    first: &[
        r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"usage":{"input_tokens":9}}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"@"}}"#,
        r#"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}}"#,
        r#"{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"b","name":"g","input":{}}}"#,
    ],
    repeated: &[
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"@"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"@"}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"@"}}"#,
        r#"{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"@"}  }"#,
        r#"{"delta":{"text":"@","type":"text_delta"},"index":#,"type":"content_block_delta"}"#,
        r#"{"type":"content_block_delta","index":4,"delta":{"type":"text_delta","text":"@"},"p":%}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"@"}}"#,
    ],
    between: &[
        r#"{"type":"content_block_stop","index":1}"#,
        r#"{"type":"content_block_stop","index":2}"#,
        r#"{"type":"content_block_start","index":2,"content_block":{"type":"text","text":"@"}}"#,
        r#"{"type":"message_start","message":{"id":"n","type":"message","role":"assistant","content":[]}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":#}}"#,
        r#"{"type":"message_stop"}"#,
        r#"{"type":"ping"}"#,
        r#"{"type":"error","error":{"type":"overloaded_error","message":"@"}}"#,
    ],
};

const RESPONSES: Interface = Interface {
    first: &[
        r#"{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","output":[]},"sequence_number":#}"#,
        r#"{"type":"response.output_item.added","output_index":0,"item":{"id":"i0","type":"reasoning","summary":[]}}"#,
        r#"{"type":"response.output_item.added","output_index":1,"item":{"id":"i1","type":"message","content":[]}}"#,
        r#"{"type":"response.output_item.added","output_index":2,"item":{"id":"i2","type":"function_call","call_id":"a","name":"f","arguments":""}}"#,
        r#"{"type":"response.output_item.added","output_index":3,"item":{"id":"i3","type":"function_call","call_id":"b","name":"g","arguments":"@"}}"#,
    ],
    repeated: &[
        r#"{"type":"response.output_text.delta","sequence_number":#,"item_id":"i1","output_index":1,"content_index":0,"delta":"@","logprobs":[],"obfuscation":%}"#,
        r#"{"type":"response.output_text.delta","item_id":"i1","output_index":1,"content_index":1,"delta":"@","obfuscation":%,"sequence_number":#}"#,
        r#"{"type":"response.reasoning_summary_text.delta","sequence_number":#,"item_id":"i0","output_index":0,"summary_index":0,"delta":"@","obfuscation":%}"#,
        r#"{"type":"response.reasoning_text.delta","sequence_number":#,"item_id":"i0","output_index":0,"content_index":0,"delta":"@"}"#,
        r#"{"type":"response.function_call_arguments.delta","sequence_number":#,"item_id":"i2","output_index":2,"delta":"@","obfuscation":%}"#,
        r#"{"type":"response.function_call_arguments.delta","sequence_number":#,"item_id":"i3","output_index":3,"delta":"@","obfuscation":%}"#,
        r#"{"type":"response.function_call_arguments.delta","item_id":"i3","delta":"@"}"#,
        r#"{"type":"response.refusal.delta","item_id":"i1","output_index":1,"content_index":0,"delta":"@"}"#,
        r#"{"type":"response.output_text.delta","output_index":#,"delta":"@"}"#,
        r#"{"type":"response.text.delta","delta":"@"}"#,
    ],
    between: &[
        r#"{"type":"response.output_text.done","item_id":"i1","output_index":1,"content_index":0,"text":"@"}"#,
        r#"{"type":"response.output_item.done","output_index":2,"item":{"id":"i2","type":"function_call","call_id":"a","name":"f","arguments":"@"}}"#,
        r#"{"type":"response.output_item.added","output_index":4,"item":{"id":"i4","type":"message","content":[]}}"#,
        r#"{"type":"response.in_progress","response":{"id":"r","status":"in_progress","metadata":%}}"#,
        r#"{"type":"response.completed","response":{"id":"r","object":"response","status":"completed","output":[],"usage":{"input_tokens":#}}}"#,
        r#"{"type":"response.sea.state","wave":#}"#,
        r#"{"type":"error","message":"@"}"#,
    ],
};

const OLLAMA: Interface = Interface {
    first: &[
        r#"{"model":"m","created_at":%,"message":{"role":"assistant","content":"@"},"done":false}"#,
        r#"{"model":"m","created_at":"t","message":{"role":"assistant","content":"","thinking":"@"},"done":false}"#,
    ],
    repeated: &[
        r#"{"model":"m","created_at":%,"message":{"role":"assistant","content":"@"},"done":false}"#,
        r#"{"model":"m","created_at":%,"message":{"role":"assistant","content":"","thinking":"@"},"done":false}"#,
        r#"{"model":"m","created_at":%,"message":{"role":"assistant","content":"@","thinking":"@"},"done":false}"#,
        r#"{"model":"m","created_at":%,"response":"@","done":false}"#,
        r#"{"model":"m","created_at":%,"response":"","thinking":"@","done":false}"#,
        r#"{"model":%,"created_at":#,"message":{"content":"@","mood":%},"done":false}"#,
        r#"{"message":{"content":"@"},"done":false}"#,
    ],
    between: &[
        r#"{"created_at":%,"message":{"tool_calls":[{"function":{"name":"f","arguments":{"a":#}}}]},"done":false}"#,
        r#"{"created_at":%,"message":{"content":"@"},"done_reason":"stop","done":true,"eval_count":#}"#,
        r#"{"created_at":%,"message":{"content":"@","images":["QQ=="]},"done":false,"logprobs":[#]}"#,
        r#"{"error":"@"}"#,
    ],
};

const COHERE: Interface = Interface {
    first: &[
        r#"{"type":"message-start","id":"c","delta":{"message":{"role":"assistant","content":[]}}}"#,
        r#"{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"thinking","thinking":""}}}}"#,
        r#"{"type":"content-start","index":1,"delta":{"message":{"content":{"type":"text","text":"@"}}}}"#,
        r#"{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"a","type":"function","function":{"name":"f","arguments":""}}}}}"#,
    ],
    repeated: &[
        r#"{"type":"content-delta","index":0,"delta":{"message":{"content":{"thinking":"@"}}}}"#,
        r#"{"type":"content-delta","index":1,"delta":{"message":{"content":{"text":"@"}}}}"#,
        r#"{"type":"content-delta","index":1,"delta":{"message":{"content":{"text":"@"}}},"logprobs":{"text":"@"}}"#,
        r#"{"type":"content-delta","index":#,"delta":{"message":{"content":{"type":"text","text":"@"}}}}"#,
        r#"{"type":"content-delta","delta":{"message":{"content":{"text":"@","mood":%}}}}"#,
        r#"{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"@"}}}"#,
        r#"{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"@"}}}}}"#,
        r#"{"type":"tool-call-delta","index":#,"delta":{"message":{"tool_calls":{"function":{"arguments":"@"}}}}}"#,
    ],
    between: &[
        r#"{"type":"content-end","index":1}"#,
        r#"{"type":"tool-call-end","index":0}"#,
        r#"{"type":"content-start","index":1,"delta":{"message":{"content":{"type":"text","text":""}}}}"#,
        r#"{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"b","function":{"name":"g","arguments":"@"}}}}}"#,
        r#"{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"nu"}}}}}"#,
        r#"{"type":"citation-start","index":0,"delta":{"message":{"citations":{"start":#,"text":"@"}}}}"#,
        r#"{"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":#}}}}"#,
        r#"{"message":"@"}"#,
    ],
};

const WORKERS_AI: Interface = Interface {
    first: &[r#"{"response":"@","p":%}"#],
    repeated: &[
        r#"{"response":"@","p":%}"#,
        r#"{"response":"@"}"#,
        r#"{"response":"@","p":"abc","mood":%}"#,
        r#"{"response":"@","usage":{"prompt_tokens":#}}"#,
        r#"{"response":#,"p":"@"}"#,
        r#"{"response":"","tool_calls":[{"index":0,"function":{"arguments":"@"}}]}"#,
    ],
    between: &[
        r#"{"response":null,"tool_calls":[{"name":"f","arguments":{"a":#}}]}"#,
        r#"{"response":"","tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"@"}}]}"#,
        r#"{"usage":{"prompt_tokens":#}}"#,
        r#"{"response":"@","finish_reason":"stop"}"#,
        r#"{"errors":[{"message":"@"}]}"#,
        "[DONE]",
    ],
};
