// The categories of the reference, by task rather than by kind of declaration. The build of the reference fails unless
// every export is in exactly one category.

/** The entries of the package: declaration file, import name and purpose. */
export const ENTRIES = [
  {
    module: "index",
    name: "respool",
    summary: "Everything, including the WebAssembly module. Nothing to load or configure.",
  },
  {
    module: "slim",
    name: "respool/slim",
    summary:
      "The same exports as `respool`, but without the WebAssembly module. First pass the module, `respool/respool.wasm`, to " +
      "`init` or `initSync`.",
  },
  {
    module: "core",
    name: "respool/core",
    summary:
      "A smaller `respool`: OpenAI's and Anthropic's interfaces, complete and streamed, without the search of text, the " +
      "request runner, converters and what parses the output of models.",
  },
  {
    module: "ai-sdk",
    name: "respool/ai-sdk",
    summary: "Converts responses to the UI message stream that the AI SDK's `useChat` reads.",
  },
  {
    module: "ag-ui",
    name: "respool/ag-ui",
    summary: "Converts responses to the events of AG-UI, for CopilotKit and other clients.",
  },
  {
    module: "encode",
    name: "respool/encode",
    summary: "Writes responses, complete or streamed, as another interface: OpenAI's or Anthropic's from any provider's.",
  },
  { module: "otel", name: "respool/otel", summary: "A tracing backend that creates OpenTelemetry spans." },
];

/** The categories in order. Types are listed with the functions that use them. */
export const CATEGORIES = {
  "Single values": [
    "process",
    "processResponse",
    "processAsync",
    "Agent",
    "ProcessOptions",
    "ProcessAsyncOptions",
    "ProcessResult",
    "StructuredResult",
    "RAW_JSON",
    "Bytes",
  ],
  "Complete responses": [
    ...["decode", "detectApi", "hasToolCalls", "isComplete", "responseText", "AnnotatedLlmResponse", "Api", "ApiSpecific"],
    ...["Choice", "ChoiceDetails", "ContentPart", "FinishReason", "MessageContent", "ResponseToolCall", "ToolCall", "Usage"],
  ],
  Streams: [
    ...[
      "StreamAccumulator",
      "streamDeltas",
      "collect",
      "tap",
      "processStream",
      "StreamDeltas",
      "Delta",
      "DeltaStream",
      "TappedResponse",
      "Ending",
      "Failure",
      "FailureCode",
    ],
    ...["Limits", "StreamAccumulatorOptions", "StreamPiece", "StreamResult", "AwsAnswer", "OpenSource", "StreamSource"],
    "StreamSourceOptions",
    ...["ToolCallStatus", "Warning", "WarningCode", "SseDecoder", "SseEvent"],
  ],
  "Values that are still arriving": ["PartialJson", "parsePartialJson", "JsonIndex", "PartialJsonResult"],
  "Typed outputs": [
    ...[
      "parseToolArguments",
      "parseStructuredOutput",
      "parseStructuredOutputAsync",
      "cast",
      "castAsync",
      "parseResponse",
      "repairJson",
    ],
    ...[
      "ActionModel",
      "AgentOutput",
      "CallToParse",
      "OutputIssue",
      "RepairStrategy",
      "RepairedAction",
      "RepairedJson",
      "SchemaOutput",
    ],
    ...["StandardResult", "StandardSchema", "StructuredOutputAsyncOptions", "StructuredOutputOptions"],
  ],
  "Tool calls and reasoning written as text": [
    "extractToolCalls",
    "Extraction",
    "ReasoningTags",
    "RejectReason",
    "RejectedToolCall",
    "TextFormat",
    "TextToolCalls",
  ],
  Loops: ["LoopDetector", "LoopDetectorOptions"],
  "Running tools": [
    ...[
      "runRequest",
      "tool",
      "fetchTransport",
      "formatToolMessages",
      "Clock",
      "FallbackOptions",
      "FetchTransport",
      "FetchInit",
      "FetchTransportOptions",
    ],
    ...["HttpError", "RequestDelta", "RequestFailure", "RequestFailureCode", "RequestHandle", "RequestHeaders", "RequestMessage"],
    ...[
      "RequestBodyFactory",
      "RequestOptions",
      "RequestResult",
      "UnsignedRequest",
      "RequestState",
      "RequestStep",
      "RequestToolResult",
      "Tool",
      "ToolArguments",
      "ToolContent",
      "ToolContext",
      "ToolHandler",
      "ToolOptions",
      "ToolParameters",
      "ToolResult",
      "Transport",
      "TransportContext",
    ],
    ...["JsonSchema", "JsonSchemaKeywords", "JsonSchemaObject", "JsonSchemaType", "JsonSchemaValue"],
  ],
  Converters: [
    ...["ModelResponseConverter", "ResponseConverter", "ContentBlock", "Converter", "ConverterConfig", "ConverterName"],
    ...["ConvertibleResponse", "Message", "MessageMetadata", "ReasoningBlock", "TextBlock", "ToolCallBlock"],
  ],
  Codecs: ["registerCodec", "Codec", "CodecEventReader", "CodecStream", "CodecUpdate", "RegisteredCodecs", "ApiName"],
  Tracing: [
    "tracer",
    "consoleTracer",
    "ConsoleTracerOptions",
    "SpanFactory",
    "SpanKey",
    "SpanName",
    "TraceSpan",
    "otelTracer",
    "OtelTracerOptions",
  ],
  "Streams for the AI SDK": [
    ...[
      "toUIMessageStream",
      "toUIMessageStreamResponse",
      "UIFinishReason",
      "UIMessageChunk",
      "UIMessageSource",
      "UIMessageStreamOptions",
      "UIUsage",
      "UIVersion",
    ],
  ],
  "Events for AG-UI": [
    ...["toAgUiEvents", "toAgUiResponse", "AgUiContent", "AgUiContentPart", "AgUiEvent", "AgUiOptions", "AgUiOutcome"],
    ...["AgUiSource", "AgUiUsage"],
  ],
  "Other interfaces": [
    ...["encode", "StreamEncoder", "translateStream", "translateResponse", "EncodedBody", "EncodeOptions", "TranslatedStream"],
    ...["EncoderOptions", "TranslateOptions", "TranslateResponseOptions", "TranslationEnd", "WireApi"],
  ],
  "The module": ["init", "initSync", "InitSource", "WebAssemblyModule"],
  Errors: [
    ...["RespoolError", "ErrorCode", "DecodeError", "LimitError", "OutputParseError", "ProviderError", "RefusalError"],
    "StreamError",
  ],
};
