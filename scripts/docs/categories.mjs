// Where everything that is exported stands in the reference: a reader looks for what he wants to do, not for a kind of
// declaration. Every export is in exactly one category; the build of the reference fails otherwise.

/** The entries of the package: their declarations, the name by which they are imported, and what they are for. */
export const ENTRIES = [
  {
    module: "index",
    name: "respool",
    summary: "Everything, with the WebAssembly module inside: nothing to load, nothing to configure.",
  },
  {
    module: "slim",
    name: "respool/slim",
    summary:
      "The same exports as `respool`, which are described there, but without the WebAssembly module: `init` or `initSync` " +
      "is given it first. It is `respool/respool.wasm`.",
  },
  {
    module: "ai-sdk",
    name: "respool/ai-sdk",
    summary: "Answers as the UI message stream that `useChat` of the AI SDK reads.",
  },
  { module: "otel", name: "respool/otel", summary: "A tracing backend that makes OpenTelemetry spans." },
];

/** The categories in their order. Types stand with the functions that take or give them. */
export const CATEGORIES = {
  "One value of an answer": [
    "process",
    "processAsync",
    "Agent",
    "ProcessOptions",
    "ProcessAsyncOptions",
    "ProcessResult",
    "StructuredResult",
    "RAW_JSON",
    "Bytes",
  ],
  "The whole answer": [
    ...["decode", "detectApi", "hasToolCalls", "isComplete", "responseText", "AnnotatedLlmResponse", "Api", "ApiSpecific"],
    ...["Choice", "ChoiceDetails", "ContentPart", "FinishReason", "MessageContent", "ResponseToolCall", "ToolCall", "Usage"],
  ],
  Streams: [
    ...[
      "StreamAccumulator",
      "streamDeltas",
      "processStream",
      "StreamDeltas",
      "Delta",
      "DeltaStream",
      "Ending",
      "Failure",
      "FailureCode",
    ],
    ...["Limits", "StreamAccumulatorOptions", "StreamPiece", "StreamResult", "StreamSource", "StreamSourceOptions"],
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
      "fetchTransport",
      "formatToolMessages",
      "Clock",
      "FallbackOptions",
      "FetchTransport",
      "FetchTransportOptions",
    ],
    ...["HttpError", "RequestDelta", "RequestFailure", "RequestFailureCode", "RequestHandle", "RequestHeaders", "RequestMessage"],
    ...[
      "RequestOptions",
      "RequestResult",
      "RequestState",
      "ToolContent",
      "ToolContext",
      "ToolHandler",
      "ToolResult",
      "Transport",
      "TransportContext",
    ],
  ],
  Converters: [
    ...["ModelResponseConverter", "ResponseConverter", "ContentBlock", "Converter", "ConverterConfig", "ConverterName"],
    ...["ConvertibleResponse", "Message", "MessageMetadata", "ReasoningBlock", "TextBlock", "ToolCallBlock"],
  ],
  Codecs: ["registerCodec", "Codec", "CodecUpdate"],
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
    ],
  ],
  "The module": ["init", "initSync", "InitSource", "WebAssemblyModule"],
  Errors: ["RespoolError", "DecodeError", "LimitError", "OutputParseError", "ProviderError", "RefusalError", "StreamError"],
};
