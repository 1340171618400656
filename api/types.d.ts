// respool
export type { ActionModel };
export type { Agent };
export type { AgentOutput };
export type { AnnotatedLlmResponse };
export type { Api };
export type { ApiName };
export type { ApiSpecific };
export type { AwsAnswer };
export type { Bytes };
export type { CallToParse };
export type { Choice };
export type { ChoiceDetails };
export type { Clock };
export type { Codec };
export type { CodecEventReader };
export type { CodecStream };
export type { CodecUpdate };
export type { ConsoleTracerOptions };
export type { ContentBlock };
export type { ContentPart };
export type { Converter };
export type { ConverterConfig };
export type { ConverterName };
export type { ConvertibleResponse };
export type { Delta };
export type { DeltaStream };
export type { Ending };
export type { ErrorCode };
export type { Extraction };
export type { Failure };
export type { FailureCode };
export type { FallbackOptions };
export type { FetchInit };
export type { FetchTransport };
export type { FetchTransportOptions };
export type { FinishReason };
export type { HttpError };
export type { JsonIndex };
export type { JsonSchema };
export type { JsonSchemaKeywords };
export type { JsonSchemaObject };
export type { JsonSchemaType };
export type { JsonSchemaValue };
export type { Limits };
export type { LoopDetectorOptions };
export type { Message };
export type { MessageContent };
export type { MessageMetadata };
export type { OpenSource };
export type { OutputIssue };
export type { PartialJsonResult };
export type { ProcessAsyncOptions };
export type { ProcessOptions };
export type { ProcessResult };
export type { ReasoningBlock };
export type { ReasoningTags };
export type { RegisteredCodecs };
export type { RejectReason };
export type { RejectedToolCall };
export type { RepairStrategy };
export type { RepairedAction };
export type { RepairedJson };
export type { RequestBodyFactory };
export type { RequestDelta };
export type { RequestFailure };
export type { RequestFailureCode };
export type { RequestHandle };
export type { RequestHeaders };
export type { RequestMessage };
export type { RequestOptions };
export type { RequestResult };
export type { RequestState };
export type { RequestStep };
export type { RequestToolResult };
export type { ResponseToolCall };
export type { SchemaOutput };
export type { SpanFactory };
export type { SpanKey };
export type { SpanName };
export type { SseEvent };
export type { StandardResult };
export type { StandardSchema };
export type { StreamAccumulatorOptions };
export type { StreamPiece };
export type { StreamResult };
export type { StreamSource };
export type { StreamSourceOptions };
export type { StructuredOutputAsyncOptions };
export type { StructuredOutputOptions };
export type { StructuredResult };
export type { TappedResponse };
export type { TextBlock };
export type { TextFormat };
export type { TextToolCalls };
export type { Tool };
export type { ToolArguments };
export type { ToolCall };
export type { ToolCallBlock };
export type { ToolCallStatus };
export type { ToolContent };
export type { ToolContext };
export type { ToolHandler };
export type { ToolOptions };
export type { ToolParameters };
export type { ToolResult };
export type { TraceSpan };
export type { Transport };
export type { TransportContext };
export type { UnsignedRequest };
export type { Usage };
export type { Warning };
export type { WarningCode };
export { DecodeError };
export { LimitError };
export { LoopDetector };
export { ModelResponseConverter };
export { OutputParseError };
export { PartialJson };
export { ProviderError };
export { RAW_JSON };
export { RefusalError };
export { ResponseConverter };
export { RespoolError };
export { SseDecoder };
export { StreamAccumulator };
export { StreamDeltas };
export { StreamError };
export { cast };
export { castAsync };
export { collect };
export { consoleTracer };
export { decode };
export { detectApi };
export { extractToolCalls };
export { fetchTransport };
export { formatToolMessages };
export { hasToolCalls };
export { isComplete };
export { parsePartialJson };
export { parseResponse };
export { parseStructuredOutput };
export { parseStructuredOutputAsync };
export { parseToolArguments };
export { process };
export { processAsync };
export { processResponse };
export { processStream };
export { registerCodec };
export { repairJson };
export { responseText };
export { runRequest };
export { streamDeltas };
export { tap };
export { tool };
export { tracer };
interface ActionModel {
    toolCallId: string;
    toolName: string;
    arguments: Record<string, unknown>;
}
interface Agent {
    model?: {
        id?: string | undefined;
        provider?: string | undefined;
        apiType?: string | undefined;
    } | undefined;
    outputs?: unknown;
}
interface AgentOutput<U = Usage> {
    text: string;
    toolCalls: ToolCall[];
    usage: U | undefined;
}
type Alternatives<Schema, Keyword extends string> = Schema extends {
    readonly [Key in Keyword]: readonly (infer Inner)[];
} ? Inner extends unknown ? JsonSchemaValue<Inner> : never : unknown;
interface AnnotatedLlmResponse {
    api?: Api | (string & {});
    id?: string;
    model?: string;
    message?: MessageContent;
    refusal?: string;
    toolCalls?: ResponseToolCall[];
    finishReason?: FinishReason;
    rawFinishReason?: string;
    usage?: Usage;
    apiSpecific?: ApiSpecific;
    choices?: Choice[];
    extra: Record<string, unknown>;
}
type Api = "openai-chat" | "openai-responses" | "anthropic-messages" | "gemini" | "gemini-interactions" | "bedrock-converse" | "ollama-chat" | "cohere-chat" | "workers-ai" | "openai-embeddings" | "openai-images";
type ApiName = Api | Extract<keyof RegisteredCodecs, string>;
type ApiSpecific = {
    api: "openai_chat";
    logprobs?: unknown;
    systemFingerprint?: string;
    serviceTier?: string;
    choices?: ChoiceDetails[];
    otherEvents?: unknown[];
} | {
    api: "openai_responses";
    outputItems: unknown[];
    status?: string;
    incompleteDetails?: unknown;
    serviceTier?: string;
    otherEvents?: unknown[];
} | {
    api: "anthropic_messages";
    stopSequence?: string;
    contentBlocks: unknown[];
    otherEvents?: unknown[];
} | {
    api: "gemini";
    parts: unknown[];
    groundingMetadata?: unknown;
    safetyRatings?: unknown;
    finishMessage?: string;
    candidate?: Record<string, unknown>;
    otherCandidates?: unknown[];
    promptFeedback?: unknown;
    otherEvents?: unknown[];
} | {
    api: "gemini_interactions";
    steps: unknown[];
    status?: string;
    previousInteractionId?: string;
    serviceTier?: string;
    lastEventId?: string;
    otherEvents?: unknown[];
} | {
    api: "bedrock_converse";
    contentBlocks: unknown[];
    metrics?: unknown;
    trace?: unknown;
    additionalModelResponseFields?: unknown;
    performanceConfig?: unknown;
    serviceTier?: unknown;
    message?: Record<string, unknown>;
    otherEvents?: unknown[];
} | {
    api: "ollama_chat";
    totalDuration?: number;
    loadDuration?: number;
    promptEvalDuration?: number;
    evalDuration?: number;
    context?: unknown;
    logprobs?: unknown[];
    message?: Record<string, unknown>;
    toolCalls?: Record<string, unknown>;
    otherEvents?: unknown[];
} | {
    api: "cohere_chat";
    contentBlocks: unknown[];
    toolPlan?: string;
    citations?: unknown[];
    billedUnits?: unknown;
    logprobs?: unknown[];
    message?: Record<string, unknown>;
    toolCalls?: Record<string, unknown>;
    otherEvents?: unknown[];
} | {
    api: "workers_ai";
    response?: unknown;
    toolCalls?: Record<string, unknown>;
    otherEvents?: unknown[];
} | {
    api: "custom";
    apiName: string;
    data: unknown;
};
interface AwsAnswer {
    $metadata: object;
    stream?: AsyncIterable<object> | undefined;
    body?: AsyncIterable<object> | undefined;
}
type Bytes = ArrayBuffer | ArrayBufferView;
type CallToParse = {
    id?: string | null;
    name: string;
    arguments: unknown;
} | {
    type?: string;
    id?: string | null;
    function: {
        name: string;
        arguments: unknown;
    };
} | {
    type?: string;
    id?: string | null;
    custom: {
        name: string;
        input: string;
    };
} | {
    type?: string;
    id: string;
    name: string;
    input: unknown;
} | {
    id?: string;
    name?: string;
    args?: Record<string, unknown>;
} | {
    type?: string;
    toolUseId: string;
    name: string;
    input: unknown;
} | {
    toolUse: {
        toolUseId: string;
        name: string;
        input: unknown;
    };
} | {
    id?: string;
    name: string;
    args: unknown;
} | {
    type?: string;
    id?: string | null;
    call_id: string;
    name: string;
    arguments: unknown;
};
interface Choice {
    index: number;
    message?: MessageContent;
    refusal?: string;
    toolCalls?: ResponseToolCall[];
    finishReason?: FinishReason;
    rawFinishReason?: string;
}
interface ChoiceDetails {
    index: number;
    logprobs?: unknown;
    choice?: Record<string, unknown>;
    message?: Record<string, unknown>;
    reasoningField?: string;
    toolCalls?: Record<string, unknown>;
}
interface Clock {
    now?: {
        now(): number;
    }["now"] | undefined;
    setTimeout?: {
        setTimeout(run: () => void, ms: number): unknown;
    }["setTimeout"] | undefined;
    clearTimeout?: {
        clearTimeout(timer: unknown): void;
    }["clearTimeout"] | undefined;
}
interface Codec {
    name: string;
    detect(value: unknown): boolean;
    decode(body: unknown): CodecUpdate | CodecUpdate[];
    stream?: {
        stream(saved?: unknown): CodecEventReader | CodecStream;
    }["stream"] | undefined;
}
type CodecEventReader = {
    read(event: unknown): CodecUpdate | CodecUpdate[] | undefined;
}["read"];
interface CodecStream {
    read(event: unknown): CodecUpdate | CodecUpdate[] | undefined;
    save(): unknown;
}
type CodecUpdate = {
    type: "id";
    id: string;
} | {
    type: "model";
    model: string;
} | {
    type: "text" | "refusal";
    text: string;
    part?: number | undefined;
    choice?: number | undefined;
} | {
    type: "reasoning";
    text?: string | undefined;
    signature?: string | undefined;
    encrypted?: string | undefined;
    part?: number | undefined;
    choice?: number | undefined;
} | {
    type: "tool-call";
    index?: number | undefined;
    id?: string | undefined;
    name?: string | undefined;
    arguments?: string | object | undefined;
    done?: boolean | undefined;
    choice?: number | undefined;
} | {
    type: "annotation";
    annotation: unknown;
    part?: number | undefined;
    choice?: number | undefined;
} | {
    type: "other";
    raw: unknown;
    part?: number | undefined;
    choice?: number | undefined;
} | ({
    type: "usage";
} & {
    [Name in keyof Usage]?: Usage[Name] | undefined;
}) | {
    type: "finish";
    finishReason: FinishReason;
    rawFinishReason?: string | undefined;
    choice?: number | undefined;
} | {
    type: "error";
    message: string;
    providerType?: string | undefined;
    providerCode?: string | undefined;
} | {
    type: "warning";
    message: string;
} | {
    type: "extra";
    name: string;
    value: unknown;
} | {
    type: "data";
    data: unknown;
} | {
    type: "done";
};
type Combined<Schema> = Schema extends {
    readonly allOf: readonly [
        infer First,
        ...infer Rest
    ];
} ? JsonSchemaValue<First> & Combined<{
    readonly allOf: Rest;
}> : unknown;
interface ConsoleTracerOptions {
    write?: ((line: string) => void) | undefined;
    maxLength?: number | undefined;
    now?: (() => number) | undefined;
}
type ContentBlock = ContentPart | ToolCallBlock;
type ContentPart = {
    type: "text";
    text: string;
    annotations?: unknown[];
    logprobs?: unknown[];
    signature?: string;
    phase?: string;
} | {
    type: "reasoning";
    text: string;
    signature?: string;
    encrypted?: string;
    id?: string;
} | {
    type: "refusal";
    text: string;
} | {
    type: "image";
    url?: string;
    base64?: string;
    raw: unknown;
} | {
    type: "audio";
    id?: string;
    base64?: string;
    transcript?: string;
    raw: unknown;
} | {
    type: "server-tool";
    id?: string;
    name: string;
    call?: unknown;
    result?: unknown;
    raw: unknown;
} | {
    type: "other";
    raw: unknown;
};
interface Converter<Response = unknown> {
    convertResponse(response: Response): Promise<Message>;
    convertStreamingResponse(config: ConverterConfig, nodeName: string | undefined, response: Response, meta?: Record<string, unknown>): AsyncIterable<Message>;
}
interface ConverterConfig {
    threadId?: string | undefined;
    thread_id?: string | undefined;
    [name: string]: unknown;
}
type ConverterName = Exclude<ApiName, "openai-embeddings" | "openai-images"> | "auto" | "litellm";
type ConvertibleResponse = object | string | Bytes | Response | ReadableStream<StreamPiece> | AsyncIterable<StreamPiece> | Iterable<StreamPiece> | PromiseLike<unknown>;
declare class DecodeError extends RespoolError {
    readonly code: "invalid-json" | "unknown-response" | "empty-response" | "codec-error";
    readonly customId?: string;
    readonly outcome?: "determinate" | "indeterminate";
    readonly partial?: StreamResult;
}
type Delta = {
    type: "text";
    text: string;
    choice?: number;
} | {
    type: "reasoning";
    text: string;
    choice?: number;
} | {
    type: "refusal";
    text: string;
    choice?: number;
} | {
    type: "phase";
    phase?: string;
    choice?: number;
} | {
    type: "tool-call-start";
    index: number;
    id: string;
    name: string;
    choice?: number;
} | {
    type: "tool-call-delta";
    index: number;
    id: string;
    arguments: string;
    choice?: number;
} | {
    type: "tool-call-end";
    index: number;
    toolCall: ToolCall;
    status: ToolCallStatus;
    choice?: number;
} | {
    type: "json";
    index: number | "text";
    path: (string | number)[];
    value?: unknown;
    append?: string;
    done: boolean;
    choice?: number;
} | {
    type: "annotation";
    annotation: unknown;
    choice?: number;
} | {
    type: "server-tool";
    part: Extract<ContentPart, Record<"type", "server-tool">>;
    choice?: number;
} | {
    type: "image";
    part: Extract<ContentPart, Record<"type", "image">>;
    choice?: number;
} | {
    type: "audio";
    part: Extract<ContentPart, Record<"type", "audio">>;
    choice?: number;
} | {
    type: "usage";
    usage: Usage;
} | {
    type: "finish";
    finishReason: FinishReason;
    rawFinishReason?: string;
    choice?: number;
} | {
    type: "error";
    error: Failure;
} | {
    type: "warning";
    code: WarningCode;
    message: string;
};
interface DeltaStream extends AsyncGenerator<Delta, void, undefined> {
    readonly result: StreamResult | undefined;
    readonly finished: Promise<StreamResult>;
}
type Ending = "open" | "complete" | "truncated" | "failed" | "aborted";
type ErrorCode = "codec-error" | "empty-response" | "http-error" | "in-use" | "internal-error" | "invalid-chunk" | "invalid-json" | "invalid-option" | "invalid-output" | "invalid-source" | "invalid-state" | "limit-exceeded" | "missing-global" | "not-a-tool-call" | "not-an-object" | "not-initialised" | "provider-error" | "refusal" | "request-running" | "stream-broken" | "stream-finished" | "stream-truncated" | "truncated-json" | "unknown-response";
interface Extraction {
    text: string;
    reasoning: string;
    toolCalls: ToolCall[];
    toolCallStatus: ToolCallStatus[];
    rejected: RejectedToolCall[];
    warnings: Warning[];
}
interface Failure {
    code: FailureCode;
    message: string;
    providerType?: string;
    providerCode?: string;
    raw?: unknown;
}
type FailureCode = "provider-error" | "unknown-response" | "stream-broken" | "limit-exceeded" | "aborted" | "codec-error";
interface FallbackOptions extends Omit<TextToolCalls, "tools"> {
    tools?: TextToolCalls["tools"] | undefined;
    reasoningTags?: ReasoningTags | undefined;
}
type FetchInit = typeof globalThis extends {
    fetch(url: string, init?: infer Init): unknown;
} ? NonNullable<Init> : object;
interface FetchTransport {
    (payload: object, context?: Partial<TransportContext>): Promise<Response>;
    api: ApiName;
}
interface FetchTransportOptions {
    url: string | URL;
    headers?: RequestHeaders | ((request: UnsignedRequest) => RequestHeaders | PromiseLike<RequestHeaders>) | undefined;
    api?: ApiName | undefined;
    body?: object | RequestBodyFactory | undefined;
    fetch?: ((url: string, init: FetchInit) => PromiseLike<Response>) | undefined;
    maxRetries?: number | undefined;
    maxRetryAfter?: number | undefined;
    clock?: Clock | undefined;
    random?: {
        random(): number;
    }["random"] | undefined;
}
type FinishReason = "complete" | "length" | "tool_use" | "content_filter" | {
    unknown: string;
};
type Flat<T> = {
    [Key in keyof T]: T[Key];
};
interface HttpError extends ProviderError {
    readonly code: "http-error";
    readonly status: number;
}
type JsonIndex = number | "text";
type JsonSchema = boolean | JsonSchemaObject;
interface JsonSchemaKeywords {
    readonly type?: JsonSchemaType | readonly JsonSchemaType[] | (string & {}) | undefined;
    readonly properties?: {
        readonly [name: string]: JsonSchema;
    } | undefined;
    readonly required?: readonly string[] | undefined;
    readonly items?: JsonSchema | readonly JsonSchema[] | undefined;
    readonly enum?: readonly unknown[] | undefined;
}
type JsonSchemaObject = JsonSchemaKeywords | (JsonSchemaKeywords & {
    readonly [keyword: string]: unknown;
});
type JsonSchemaType = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";
type JsonSchemaValue<Schema> = Schema extends {
    readonly const: infer Value;
} ? Value : Schema extends {
    readonly enum: readonly (infer Value)[];
} ? Value : Alternatives<Schema, "anyOf"> & Alternatives<Schema, "oneOf"> & Combined<Schema> & Typed<Schema>;
declare class LimitError extends RespoolError {
    readonly code: "limit-exceeded";
    readonly outcome?: "determinate";
    readonly partial?: StreamResult;
}
interface Limits {
    maxEventBytes?: number | undefined;
    maxTotalBytes?: number | undefined;
    maxToolCalls?: number | undefined;
    maxChoices?: number | undefined;
    maxDepth?: number | undefined;
}
type ListOf<Schema> = Schema extends {
    readonly items: infer Item;
} ? Item extends readonly unknown[] ? unknown[] : JsonSchemaValue<Item>[] : unknown[];
declare class LoopDetector {
    constructor(options?: LoopDetectorOptions);
    feed(text: string): boolean;
    readonly triggered: boolean;
    readonly reason: string | undefined;
    reset(): void;
    free(): void;
    [Symbol.dispose](): void;
}
interface LoopDetectorOptions {
    tiers?: readonly {
        length: number;
        repeats: number;
    }[] | undefined;
    blockLines?: number | undefined;
    phrases?: boolean | undefined;
}
interface Message {
    messageId: string;
    role: "assistant";
    content: ContentBlock[];
    delta: boolean;
    toolCalls: ToolCall[];
    reasoning: string;
    usage?: Usage;
    timestamp: number;
    metadata: MessageMetadata;
    raw?: unknown;
}
type MessageContent = string | ContentPart[];
interface MessageMetadata {
    provider?: Api | (string & {});
    nodeName?: string;
    threadId?: string;
    id?: string;
    model?: string;
    object?: string;
    finishReason?: FinishReason;
    rawFinishReason?: string;
    ending?: "complete" | "truncated" | "failed";
    error?: Failure;
    warnings?: Warning[];
    [name: string]: unknown;
}
declare class ModelResponseConverter<Source = ConvertibleResponse> {
    constructor(response: Source | PromiseLike<Source> | (() => Source | PromiseLike<Source>), converter: Converter<Awaited<Source>> | ConverterName);
    invoke(): Promise<Message>;
    stream(config?: ConverterConfig, nodeName?: string, meta?: Record<string, unknown>): AsyncGenerator<Message, void, undefined>;
}
type ObjectOf<Schema> = Schema extends {
    readonly properties: infer Properties;
} ? Flat<{
    -readonly [Name in keyof Properties as Name extends RequiredNames<Schema> ? Name : never]: JsonSchemaValue<Properties[Name]>;
} & {
    -readonly [Name in keyof Properties as Name extends RequiredNames<Schema> ? never : Name]?: JsonSchemaValue<Properties[Name]>;
}> : Schema extends {
    readonly additionalProperties: infer Value extends object;
} ? Record<string, JsonSchemaValue<Value>> : Record<string, unknown>;
type OfType<Schema, Type> = Type extends "string" ? string : Type extends "number" | "integer" ? number : Type extends "boolean" ? boolean : Type extends "null" ? null : Type extends "array" ? ListOf<Schema> : Type extends "object" ? ObjectOf<Schema> : unknown;
type OpenSource = Response | ReadableStream<StreamPiece> | Blob | AwsAnswer | AsyncIterable<StreamPiece> | (object & Iterable<StreamPiece>);
interface OutputIssue {
    path: PropertyKey[];
    message: string;
}
declare class OutputParseError extends RespoolError {
    readonly code: "invalid-json" | "not-a-tool-call" | "not-an-object" | "truncated-json" | "invalid-output";
    readonly issues?: readonly OutputIssue[];
    readonly text?: unknown;
    readonly toolCallId?: string;
    readonly toolName?: string;
}
declare class PartialJson {
    constructor();
    apply(delta: RequestDelta): boolean;
    get(index: JsonIndex, choice?: number): unknown;
    peek(index: JsonIndex, choice?: number): unknown;
    isDone(index: JsonIndex, choice?: number): boolean;
}
interface PartialJsonResult {
    value: unknown;
    state: "complete" | "partial" | "invalid";
}
interface ProcessAsyncOptions extends ProcessOptions {
    signal?: AbortSignal | undefined;
}
interface ProcessOptions {
    textBlocks?: "all" | "first" | undefined;
    vectors?: "array" | "float32" | "float64" | undefined;
}
type ProcessResult = string | ToolCall[] | StructuredResult | number[] | number[][] | Float32Array | Float32Array[] | Float64Array | Float64Array[] | string[];
declare class ProviderError extends RespoolError {
    readonly code: "provider-error" | "http-error";
    readonly status?: number;
    readonly retryAfter?: number;
    readonly requestId?: string;
    readonly customId?: string;
    readonly providerType?: string;
    readonly providerCode?: string;
    readonly raw?: unknown;
    readonly outcome?: "determinate";
    readonly partial?: StreamResult;
}
declare const RAW_JSON: unique symbol;
type ReasoningBlock = Extract<ContentPart, {
    type: "reasoning";
}>;
type ReasoningTags = boolean | string | readonly string[] | {
    tags?: boolean | string | readonly string[] | undefined;
    open?: boolean | undefined;
};
declare class RefusalError extends RespoolError {
    readonly code: "refusal";
    readonly refusal: string;
    readonly outcome: "determinate";
    readonly partial: StreamResult;
}
interface RegisteredCodecs {
}
type RejectReason = "unknown-tool" | "missing-name" | "invalid-arguments" | "duplicate-argument" | "missing-argument" | "truncated" | "too-long";
interface RejectedToolCall {
    format: string;
    name?: string;
    reason: RejectReason;
    text: string;
    offset: number;
}
type RepairStrategy = "direct" | "fence" | "extracted" | "trailing-commas" | "single-quotes" | "python-literals" | "string-escapes" | "unquoted-text" | "missing-commas" | "comments" | "missing-closers";
interface RepairedAction extends ActionModel {
    repair: RepairStrategy | "double-encoded";
    status: "complete" | "truncated";
}
interface RepairedJson {
    value: unknown;
    json: string;
    repair: RepairStrategy;
    status: "complete" | "truncated";
}
type RequestBodyFactory = {
    create(payload: Record<string, unknown>): unknown;
}["create"];
type RequestDelta = Delta | {
    type: "step-start";
    step: number;
} | ({
    type: "tool-result";
} & RequestToolResult) | {
    type: "step-finish";
    step: number;
    finishReason?: FinishReason;
    usage?: Usage;
} | {
    type: "warning";
    code: "turn-retried" | "undefined-tool";
    message: string;
};
interface RequestFailure {
    code: RequestFailureCode;
    message: string;
    status?: number;
    retryAfter?: number;
    requestId?: string;
    cause?: unknown;
}
type RequestFailureCode = "repeated_line_loop" | "tool_parse_error" | "tool_execution_error" | "provider_error" | "unknown_error" | "stall_timeout" | "refusal";
interface RequestHandle extends AsyncIterable<RequestDelta> {
    readonly state: RequestState;
    cancel(reason?: unknown): void;
    result(): Promise<RequestResult>;
    getResult(): RequestResult;
    [Symbol.asyncIterator](): AsyncIterableIterator<RequestDelta>;
}
type RequestHeaders = Headers | [
    string,
    string
][] | Record<string, string>;
type RequestMessage = object;
interface RequestOptions {
    transport: Transport;
    api?: ApiName | undefined;
    messages: readonly RequestMessage[];
    params?: Record<string, unknown> | undefined;
    tools?: Record<string, ToolHandler> | undefined;
    toolDefinitions?: readonly object[] | undefined;
    exitTools?: readonly string[] | undefined;
    toolBudget?: number | undefined;
    budgetUnit?: "call" | "iteration" | undefined;
    onToolError?: "fail" | "feedback" | undefined;
    parallelTools?: boolean | undefined;
    toolTimeoutMs?: number | undefined;
    stallTimeoutMs?: number | undefined;
    maxRetries?: number | undefined;
    rebuildConversation?: {
        rebuildConversation(messages: RequestMessage[]): readonly RequestMessage[] | PromiseLike<readonly RequestMessage[]>;
    }["rebuildConversation"] | undefined;
    fallback?: boolean | FallbackOptions | undefined;
    loopDetector?: boolean | LoopDetectorOptions | undefined;
    signal?: AbortSignal | undefined;
    onDelta?: {
        onDelta(delta: RequestDelta): unknown;
    }["onDelta"] | undefined;
    agent?: Agent | undefined;
    partialJson?: boolean | undefined;
    limits?: Limits | undefined;
    clock?: Clock | undefined;
    random?: {
        random(): number;
    }["random"] | undefined;
}
interface RequestResult {
    state: "completed" | "failed" | "canceled";
    text: string;
    finalText: string;
    messages: RequestMessage[];
    newMessages: RequestMessage[];
    steps: RequestStep[];
    signals: ToolCall[];
    finishReason?: FinishReason;
    usage?: Usage;
    failure?: RequestFailure;
    toolBudgetRemaining: number;
    iterations: number;
    lastByteAt?: number;
}
type RequestState = "running" | "tool_running" | "completed" | "failed" | "canceled";
interface RequestStep {
    text: string;
    reasoning: string;
    toolCalls: ToolCall[];
    toolResults: RequestToolResult[];
    finishReason?: FinishReason;
    usage?: Usage;
    response: AnnotatedLlmResponse;
}
type RequestToolResult = {
    id: string;
    name: string;
    result: unknown;
    error?: undefined;
} | {
    id: string;
    name: string;
    error: string;
    result?: undefined;
};
type RequiredNames<Schema> = Schema extends {
    readonly required: readonly (infer Name)[];
} ? Name : never;
declare class ResponseConverter implements Converter<ConvertibleResponse> {
    constructor(api?: ConverterName, options?: Omit<StreamSourceOptions, "api">);
    convertResponse(response: ConvertibleResponse): Promise<Message>;
    convertStreamingResponse(config: ConverterConfig, nodeName: string | undefined, response: ConvertibleResponse, meta?: Record<string, unknown>): AsyncGenerator<Message, void, undefined>;
}
interface ResponseToolCall {
    id: string;
    name: string;
    arguments: unknown;
    signature?: string;
}
declare class RespoolError extends Error {
    constructor(code: ErrorCode, message: string, options?: {
        cause?: unknown;
    });
    readonly code: ErrorCode;
    static isInstance<T extends abstract new (...args: never) => unknown>(this: T, value: unknown): value is InstanceType<T>;
}
type SchemaOutput<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"];
type SpanFactory = (name: SpanName, parent?: TraceSpan) => TraceSpan | undefined;
type SpanKey = "signature" | "inputs" | "items" | "result" | "response" | "usage" | "error" | (string & {});
type SpanName = "process" | "turn" | "execute_tool" | (string & {});
declare class SseDecoder {
    constructor();
    push(bytes: Bytes): SseEvent[];
    finish(): SseEvent[];
    free(): void;
    [Symbol.dispose](): void;
}
interface SseEvent {
    event: string;
    data: string;
    id: string;
    retry?: number;
}
type StandardResult<Output> = {
    readonly value: Output;
    readonly issues?: undefined;
} | {
    readonly issues: ReadonlyArray<{
        readonly message: string;
        readonly path?: ReadonlyArray<PropertyKey | {
            readonly key: PropertyKey;
        }> | undefined;
    }>;
};
interface StandardSchema<Input = unknown, Output = Input> {
    readonly "~standard": {
        readonly version: 1;
        readonly vendor: string;
        readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
        readonly types?: {
            readonly input: Input;
            readonly output: Output;
        } | undefined;
    };
}
declare class StreamAccumulator {
    constructor(options?: StreamAccumulatorOptions);
    push(chunk: object): Delta[];
    pushBytes(bytes: Bytes): Delta[];
    readonly isDone: boolean;
    finish(): StreamResult;
    abort(reason?: unknown): StreamResult;
    snapshot(): StreamResult;
    takeDeltas(): Delta[];
    save(): Uint8Array;
    static restore(saved: Bytes, options?: StreamAccumulatorOptions): StreamAccumulator;
    catchUp(): Delta[];
    free(): void;
    [Symbol.dispose](): void;
}
interface StreamAccumulatorOptions {
    api?: ApiName | "auto" | undefined;
    agent?: Agent | undefined;
    limits?: Limits | undefined;
    coalesce?: boolean | undefined;
    templates?: boolean | undefined;
    partialJson?: boolean | undefined;
    loopDetector?: boolean | LoopDetectorOptions | undefined;
    textToolCalls?: TextToolCalls | undefined;
    reasoningTags?: ReasoningTags | undefined;
}
declare class StreamDeltas {
    constructor(options?: StreamAccumulatorOptions);
    readonly result: StreamResult | undefined;
}
interface StreamDeltas extends TransformStream<StreamPiece, Delta> {
}
declare class StreamError extends RespoolError {
    readonly code: "stream-broken" | "stream-truncated";
    readonly outcome: "determinate" | "indeterminate";
    readonly partial: StreamResult;
}
type StreamPiece = object | string | Bytes;
interface StreamResult {
    text: string;
    reasoning: string;
    refusal?: string;
    toolCalls: ToolCall[];
    toolCallStatus: ToolCallStatus[];
    finishReason?: FinishReason;
    rawFinishReason?: string;
    usage?: Usage;
    ending: Ending;
    error?: Failure;
    warnings: Warning[];
    response: AnnotatedLlmResponse;
}
type StreamSource = OpenSource | PromiseLike<OpenSource>;
interface StreamSourceOptions extends StreamAccumulatorOptions {
    signal?: AbortSignal | undefined;
    throwOnError?: boolean | undefined;
}
interface StructuredOutputAsyncOptions extends StructuredOutputOptions {
    signal?: AbortSignal | undefined;
}
interface StructuredOutputOptions {
    repair?: boolean | undefined;
}
type StructuredResult = ({
    readonly [RAW_JSON]?: string;
} & (Record<string, unknown> | unknown[])) | string | number | boolean | null;
interface TappedResponse {
    response: Response;
    result: Promise<StreamResult>;
}
type TextBlock = Extract<ContentPart, {
    type: "text";
}>;
type TextFormat = "auto" | "hermes" | "qwen-xml" | "glm" | "llama3-json" | "pythonic" | "olmo3" | "mistral" | "deepseek-v3" | "deepseek-v3.1" | "deepseek-dsml" | "kimi-k2" | "kimi-k3" | "harmony" | "muse-glimmer" | "minimax-m2" | "minimax-m1" | "gemma4" | "command" | "nemotron" | "granite" | "phi4-mini" | "internlm2" | "inkling" | "step-3" | "solar-open" | "k2-horizon" | "plamo-3" | "hyperclova-x" | "functionary" | "apertus" | "minicpm" | "gigachat" | "xlam" | "directive" | "json-fence" | "react";
interface TextToolCalls {
    tools: readonly object[] | "any";
    formats?: TextFormat | readonly TextFormat[] | undefined;
}
interface Tool<Arguments = never, Result = ToolResult> {
    (args: unknown, context: ToolContext): Promise<Awaited<Result>>;
    readonly description?: string;
    readonly parameters: Record<string, unknown>;
    readonly execute?: (args: Arguments, context: ToolContext) => Result;
}
type ToolArguments<Parameters> = Parameters extends StandardSchema ? SchemaOutput<Parameters> : unknown extends JsonSchemaValue<Parameters> ? Record<string, unknown> : JsonSchemaValue<Parameters>;
interface ToolCall {
    id: string;
    name: string;
    arguments: string;
}
interface ToolCallBlock {
    type: "tool_call";
    id: string;
    name: string;
    arguments: unknown;
    status?: Exclude<ToolCallStatus, "complete">;
    signature?: string;
}
type ToolCallStatus = "complete" | "truncated" | "invalid";
interface ToolContent {
    content: ({
        type: "text";
        text: string;
    } | {
        type: "image";
        data: string;
        mimeType: string;
    } | {
        type: string;
        [member: string]: unknown;
    })[];
    isError?: boolean;
    structuredContent?: unknown;
}
interface ToolContext {
    signal: AbortSignal;
    toolCall: ToolCall;
    outputItem?: Record<string, unknown>;
}
type ToolHandler = {
    run(args: Record<string, unknown>, context: ToolContext): ToolResult | PromiseLike<ToolResult>;
}["run"];
interface ToolOptions<Parameters, Result = ToolResult> {
    description?: string | undefined;
    parameters?: Parameters | undefined;
    jsonSchema?: JsonSchemaObject | undefined;
    strict?: boolean | undefined;
    execute?: ((args: ToolArguments<Parameters>, context: ToolContext) => Result) | undefined;
}
type ToolParameters = JsonSchemaObject | StandardSchema;
type ToolResult = unknown;
interface TraceSpan {
    emit(key: SpanKey, value: unknown): void;
    emitResponse?(response: AnnotatedLlmResponse): void;
    end(): void;
    run?(call: () => unknown): unknown;
}
interface Transport {
    (payload: never, context: TransportContext): StreamSource | PromiseLike<object>;
    api?: ApiName;
}
interface TransportContext {
    signal: AbortSignal;
    onWait(ms: number): void;
}
type Typed<Schema> = Schema extends {
    readonly type: infer Type;
} ? string extends Type ? unknown : OfType<Schema, Type extends readonly (infer Each)[] ? Each : Type> : Schema extends {
    readonly properties: object;
} ? ObjectOf<Schema> : unknown;
interface UnsignedRequest {
    url: string;
    method: "POST";
    headers: Headers;
    body: string;
}
interface Usage {
    inputTokens?: number;
    uncachedInputTokens?: number;
    outputTokens?: number;
    promptTokens?: number;
    completionTokens?: number;
    totalTokens?: number;
    reasoningTokens?: number;
    cacheReadTokens?: number;
    cacheWriteTokens?: number;
    cacheWrite1hTokens?: number;
    toolUseTokens?: number;
    audioTokens?: number;
    imageTokens?: number;
    raw?: unknown;
    reportedCost?: number;
    serviceTier?: string;
}
interface Warning {
    code: WarningCode;
    message: string;
}
type WarningCode = "invalid-event" | "unknown-event" | "stray-fragment" | "late-id" | "mismatch" | "out-of-order" | "second-answer" | "repeated-message" | "resumed-stream" | "invalid-json" | "rejected-tool-call" | "superseded-tool-call" | "withdrawn-tool-call" | "missing-tool-call" | "unfit-argument" | "repeated-line-loop" | "lost-annotations" | "lost-logprobs" | "lost-image" | "lost-audio" | "lost-server-tool" | "lost-content" | "lost-refusal" | "lost-reasoning" | "lost-signature" | "lost-choices" | "lost-text" | "lost-usage" | "lost-fields" | "too-many-warnings";
declare function cast<Schema extends StandardSchema>(result: unknown, schema: Schema): SchemaOutput<Schema>;
declare function cast<T>(result: unknown, validator: (value: unknown, json?: string) => T): T;
declare function cast(result: unknown, validator?: undefined): unknown;
declare function castAsync<Schema extends StandardSchema>(result: unknown, schema: Schema, options?: {
    signal?: AbortSignal | undefined;
}): Promise<SchemaOutput<Schema>>;
declare function castAsync<T>(result: unknown, validator: (value: unknown, json?: string) => T | PromiseLike<T>, options?: {
    signal?: AbortSignal | undefined;
}): Promise<T>;
declare function castAsync(result: unknown, validator?: undefined, options?: {
    signal?: AbortSignal | undefined;
}): Promise<unknown>;
declare function collect(source: StreamSource, options?: StreamSourceOptions): Promise<StreamResult>;
declare function consoleTracer(options?: ConsoleTracerOptions): SpanFactory;
declare function decode(response: unknown): AnnotatedLlmResponse;
declare function detectApi(response: unknown): ApiName | undefined;
declare function extractToolCalls(text: string, options: TextToolCalls & {
    reasoningTags?: ReasoningTags | undefined;
}): Extraction;
declare function fetchTransport(options: FetchTransportOptions): FetchTransport;
declare function formatToolMessages(api: "openai-chat" | "openai-responses" | "anthropic-messages" | "gemini" | "gemini-interactions" | "bedrock-converse" | "ollama-chat" | "cohere-chat", response: AnnotatedLlmResponse | StreamResult, toolCalls: readonly CallToParse[], results: readonly ToolResult[]): RequestMessage[];
declare global {
    interface AbortSignal {
    }
    interface Blob {
    }
    interface Headers {
    }
    interface ReadableStream<R = any> {
    }
    interface Response {
    }
    interface SymbolConstructor {
        readonly dispose: unique symbol;
    }
    interface TransformStream<I = any, O = any> {
    }
    interface URL {
    }
}
declare function hasToolCalls(response: AnnotatedLlmResponse): boolean;
declare function isComplete(response: AnnotatedLlmResponse): boolean;
declare function parsePartialJson(text: string): PartialJsonResult;
declare function parseResponse<U = Usage>(response: {
    content?: string | null | undefined;
    toolCalls?: readonly ToolCall[] | null | undefined;
    usage?: U | undefined;
}): AgentOutput<U>;
declare function parseStructuredOutput<Schema extends StandardSchema>(text: string, schema: Schema, options?: StructuredOutputOptions): SchemaOutput<Schema>;
declare function parseStructuredOutput<T>(text: string, validator: (value: unknown) => T, options?: StructuredOutputOptions): T;
declare function parseStructuredOutput(text: string, schema?: undefined, options?: StructuredOutputOptions): unknown;
declare function parseStructuredOutputAsync<Schema extends StandardSchema>(text: string | PromiseLike<string>, schema: Schema, options?: StructuredOutputAsyncOptions): Promise<SchemaOutput<Schema>>;
declare function parseStructuredOutputAsync<T>(text: string | PromiseLike<string>, validator: (value: unknown) => T | PromiseLike<T>, options?: StructuredOutputAsyncOptions): Promise<T>;
declare function parseStructuredOutputAsync(text: string | PromiseLike<string>, schema?: undefined, options?: StructuredOutputAsyncOptions): Promise<unknown>;
declare function parseToolArguments(toolCalls: readonly CallToParse[], options: {
    repair: true;
}): RepairedAction[];
declare function parseToolArguments(toolCalls: readonly CallToParse[], options?: {
    repair?: boolean | undefined;
}): ActionModel[];
declare function process(agent: Agent, response: unknown, options?: ProcessOptions): ProcessResult;
declare function processAsync(agent: Agent, source: unknown, options?: ProcessAsyncOptions): Promise<ProcessResult>;
declare function processResponse(agent: Agent, response: unknown, options?: ProcessOptions): ProcessResult;
declare function processStream(agent: Agent, source: StreamSource, options?: StreamSourceOptions): AsyncGenerator<string | ToolCall, void, undefined>;
declare function registerCodec(codec: Codec): () => void;
declare function repairJson(text: string): RepairedJson;
declare function responseText(response: AnnotatedLlmResponse): string | undefined;
declare function runRequest(options: RequestOptions): RequestHandle;
declare function streamDeltas(source: StreamSource, options?: StreamSourceOptions): DeltaStream;
declare function tap(response: Response, options?: StreamSourceOptions): TappedResponse;
declare function tool<const Parameters extends ToolParameters = JsonSchemaObject, Result = ToolResult>(options: ToolOptions<Parameters, Result>): Tool<ToolArguments<Parameters>, Result>;
declare const tracer: {
    add(name: string, factory: SpanFactory): void;
    remove(name: string): boolean;
    clear(): void;
};

// respool/slim
export type { InitSource };
export type { WebAssemblyModule };
export { init };
export { initSync };
type InitSource = WebAssemblyModule | ArrayBuffer | ArrayBufferView | Response | URL | string;
type WebAssemblyModule = object & (typeof globalThis extends {
    WebAssembly: {
        Module: {
            prototype: infer Module;
        };
    };
} ? Module : unknown);
declare function init(source: InitSource | PromiseLike<InitSource>): Promise<void>;
declare function initSync(source: WebAssemblyModule | ArrayBuffer | ArrayBufferView): void;

// respool/core
export { Agent };
export { AnnotatedLlmResponse };
export { Api };
export { ApiName };
export { ApiSpecific };
export { Bytes };
export { Choice };
export { ChoiceDetails };
export { Codec };
export { CodecEventReader };
export { CodecStream };
export { CodecUpdate };
export { ContentPart };
export { Delta };
export { DeltaStream };
export { Ending };
export { ErrorCode };
export { Failure };
export { FailureCode };
export { FinishReason };
export { HttpError };
export { JsonIndex };
export { Limits };
export { MessageContent };
export { OutputIssue };
export { PartialJsonResult };
export { ProcessAsyncOptions };
export { ProcessOptions };
export { ProcessResult };
export { RegisteredCodecs };
export { ResponseToolCall };
export { SpanFactory };
export { SpanKey };
export { SpanName };
export { SseEvent };
export { StreamAccumulatorOptions };
export { StreamPiece };
export { StreamResult };
export { StreamSource };
export { StreamSourceOptions };
export { StructuredResult };
export { TappedResponse };
export { ToolCall };
export { ToolCallStatus };
export { TraceSpan };
export { Usage };
export { Warning };
export { WarningCode };

// respool/otel
import { Tracer } from "@opentelemetry/api";
import { SpanFactory } from "respool";
export type { OtelTracerOptions };
export { otelTracer };
interface OtelTracerOptions {
    captureContent?: boolean | undefined;
}
declare function otelTracer(tracer?: Tracer, options?: OtelTracerOptions): SpanFactory;

// respool/ai-sdk
import { StreamSource, RequestDelta, StreamSourceOptions, AnnotatedLlmResponse, Failure, RequestHeaders } from "respool";
export type { UIFinishReason };
export type { UIMessageChunk };
export type { UIMessageSource };
export type { UIMessageStreamOptions };
export type { UIUsage };
export type { UIVersion };
export { toUIMessageStream };
export { toUIMessageStreamResponse };
type UIFinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";
type UIMessageChunk<Version extends UIVersion = 5> = {
    type: "start";
    messageId?: string;
} | {
    type: "start-step" | "finish-step";
} | {
    type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end";
    id: string;
} | {
    type: "text-delta" | "reasoning-delta";
    id: string;
    delta: string;
} | {
    type: "tool-input-start";
    toolCallId: string;
    toolName: string;
    dynamic?: boolean;
} | {
    type: "tool-input-delta";
    toolCallId: string;
    inputTextDelta: string;
} | {
    type: "tool-input-available";
    toolCallId: string;
    toolName: string;
    input: unknown;
    providerExecuted?: boolean;
    dynamic?: boolean;
} | {
    type: "tool-input-error";
    toolCallId: string;
    toolName: string;
    input: unknown;
    errorText: string;
    dynamic?: boolean;
} | (Version extends 6 | 7 ? {
    type: "tool-approval-request";
    approvalId: string;
    toolCallId: string;
} : never) | {
    type: "tool-output-available";
    toolCallId: string;
    output: unknown;
    providerExecuted?: boolean;
    dynamic?: boolean;
} | {
    type: "tool-output-error";
    toolCallId: string;
    errorText: string;
    providerExecuted?: boolean;
    dynamic?: boolean;
} | {
    type: "source-url";
    sourceId: string;
    url: string;
    title?: string;
} | {
    type: "source-document";
    sourceId: string;
    mediaType: string;
    title: string;
    filename?: string;
} | {
    type: "file";
    url: string;
    mediaType: string;
} | (Version extends 7 ? {
    type: "reasoning-file";
    url: string;
    mediaType: string;
} : never) | {
    type: "error";
    errorText: string;
} | {
    type: "abort";
} | {
    type: "finish";
    finishReason?: UIFinishReason;
    messageMetadata?: unknown;
};
type UIMessageSource = StreamSource | AsyncIterable<RequestDelta> | Iterable<RequestDelta> | ReadableStream<RequestDelta>;
interface UIMessageStreamOptions<Version extends UIVersion = UIVersion> extends StreamSourceOptions {
    throwOnError?: boolean | undefined;
    dynamicTools?: boolean | ((name: string) => boolean) | undefined;
    messageId?: string | undefined;
    messageMetadata?: ((end: {
        finishReason?: UIFinishReason;
        usage?: UIUsage;
        responses: AnnotatedLlmResponse[];
    }) => unknown) | undefined;
    onError?: ((error: Failure | Error | unknown) => string) | undefined;
    resume?: Iterable<RequestDelta> | undefined;
    sendReasoning?: boolean | undefined;
    sendSources?: boolean | undefined;
    version?: Version | undefined;
}
interface UIUsage {
    inputTokens?: number;
    outputTokens?: number;
    totalTokens?: number;
    reasoningTokens?: number;
    cachedInputTokens?: number;
}
type UIVersion = 5 | 6 | 7;
declare function toUIMessageStream<Version extends UIVersion = 5>(input: UIMessageSource, options?: UIMessageStreamOptions<Version>): ReadableStream<UIMessageChunk<Version>>;
declare function toUIMessageStreamResponse(input: UIMessageSource, options?: UIMessageStreamOptions & {
    status?: number | undefined;
    statusText?: string | undefined;
    headers?: RequestHeaders | undefined;
}): Response;

// respool/ag-ui
import { FinishReason, StreamSourceOptions, RequestDelta, StreamResult, StreamSource, RequestHeaders } from "respool";
export type { AgUiContent };
export type { AgUiContentPart };
export type { AgUiEvent };
export type { AgUiOptions };
export type { AgUiOutcome };
export type { AgUiSource };
export type { AgUiUsage };
export { toAgUiEvents };
export { toAgUiResponse };
type AgUiContent = string | AgUiContentPart[];
type AgUiContentPart = {
    type: "text";
    text: string;
} | {
    type: "image" | "audio";
    source: {
        type: "data";
        value: string;
        mimeType: string;
    };
};
type AgUiEvent = {
    type: "RUN_STARTED";
    threadId: string;
    runId: string;
    parentRunId?: string;
    protocolVersion: string;
} | {
    type: "RUN_FINISHED";
    threadId: string;
    runId: string;
    outcome: AgUiOutcome;
    usage?: AgUiUsage[];
    metadata?: {
        finishReason?: FinishReason;
        rawFinishReason?: string;
    };
} | {
    type: "RUN_ERROR";
    message: string;
    code?: string;
    usage?: AgUiUsage[];
} | {
    type: "STEP_STARTED" | "STEP_FINISHED";
    stepName: string;
} | {
    type: "TEXT_MESSAGE_START";
    messageId: string;
    role: "assistant";
    metadata?: {
        refusal: boolean;
    };
} | {
    type: "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT";
    messageId: string;
    delta: string;
} | {
    type: "TEXT_MESSAGE_END" | "REASONING_START" | "REASONING_MESSAGE_END" | "REASONING_END";
    messageId: string;
} | {
    type: "REASONING_MESSAGE_START";
    messageId: string;
    role: "reasoning";
} | {
    type: "REASONING_ENCRYPTED_VALUE";
    subtype: "message" | "tool-call";
    entityId: string;
    encryptedValue: string;
} | {
    type: "TOOL_CALL_START";
    toolCallId: string;
    toolCallName: string;
    parentMessageId?: string;
} | {
    type: "TOOL_CALL_ARGS";
    toolCallId: string;
    delta: string;
} | {
    type: "TOOL_CALL_END";
    toolCallId: string;
    metadata?: {
        status: "truncated" | "invalid";
    };
} | {
    type: "TOOL_CALL_RESULT";
    messageId: string;
    toolCallId: string;
    content: AgUiContent;
    role: "tool";
    metadata?: {
        isError: boolean;
    };
} | {
    type: "ACTIVITY_SNAPSHOT";
    messageId: string;
    activityType: "server-tool";
    content: Record<string, unknown>;
} | {
    type: "CUSTOM";
    name: string;
    value: unknown;
};
interface AgUiOptions extends StreamSourceOptions {
    threadId: string;
    runId: string;
    parentRunId?: string | undefined;
    onError?: ((error: unknown) => string) | undefined;
    resume?: Iterable<RequestDelta> | undefined;
    result?: (() => StreamResult | undefined) | undefined;
    sendReasoning?: boolean | undefined;
}
type AgUiOutcome = {
    type: "success";
    pendingToolCallIds?: string[];
} | {
    type: "cancelled";
};
type AgUiSource = StreamSource | AsyncIterable<RequestDelta> | Iterable<RequestDelta> | ReadableStream<RequestDelta>;
interface AgUiUsage {
    model?: string;
    inputTokens?: number;
    outputTokens?: number;
    totalTokens?: number;
    reasoningTokens?: number;
    cachedInputTokens?: number;
    cacheWriteInputTokens?: number;
}
declare function toAgUiEvents(source: AgUiSource, options: AgUiOptions): AsyncGenerator<AgUiEvent, void, undefined>;
declare function toAgUiResponse(source: AgUiSource, options: AgUiOptions & {
    status?: number | undefined;
    statusText?: string | undefined;
    headers?: RequestHeaders | undefined;
}): Response;

// respool/encode
import { Warning, StreamAccumulatorOptions, RequestDelta, Bytes, StreamResult, StreamSourceOptions, AnnotatedLlmResponse, StreamSource } from "respool";
export type { EncodeOptions };
export type { EncodedBody };
export type { EncoderOptions };
export type { TranslateOptions };
export type { TranslateResponseOptions };
export type { TranslatedStream };
export type { TranslationEnd };
export type { WireApi };
export { StreamEncoder };
export { encode };
export { translateResponse };
export { translateStream };
interface EncodeOptions {
    includeUsage?: boolean | undefined;
    model?: string | undefined;
    id?: string | undefined;
    inputTokens?: number | undefined;
    reasoning?: "keep" | "drop" | undefined;
    unsignedThinking?: "keep" | "drop" | undefined;
    customTools?: readonly string[] | undefined;
}
interface EncodedBody {
    body: object;
    lost: Warning[];
}
interface EncoderOptions extends StreamAccumulatorOptions, EncodeOptions {
    resume?: Iterable<RequestDelta> | undefined;
}
type OwnBytes = ReturnType<typeof Uint8Array.of>;
declare class StreamEncoder {
    constructor(api: WireApi, options?: EncoderOptions);
    readonly api: WireApi;
    pushBytes(bytes: Bytes): OwnBytes;
    push(chunk: object): OwnBytes;
    finish(): OwnBytes;
    abort(reason?: unknown): OwnBytes;
    fail(error: unknown): OwnBytes;
    heartbeat(): OwnBytes;
    save(): OwnBytes;
    static restore(saved: Bytes, options?: StreamAccumulatorOptions & EncodeOptions): StreamEncoder;
    readonly isOver: boolean;
    readonly isDone: boolean;
    readonly lost: Warning[];
    readonly result: StreamResult | undefined;
    free(): void;
    [Symbol.dispose](): void;
}
interface TranslateOptions extends StreamSourceOptions, EncodeOptions {
    to: WireApi;
    resume?: Iterable<RequestDelta> | undefined;
}
interface TranslateResponseOptions extends StreamAccumulatorOptions, EncodeOptions {
    to: WireApi;
    signal?: AbortSignal | undefined;
    onEnd?: ((end: TranslationEnd) => void) | undefined;
}
interface TranslatedStream {
    stream: ReadableStream<OwnBytes>;
    result: Promise<StreamResult>;
    lost: Warning[];
}
interface TranslationEnd {
    response?: AnnotatedLlmResponse;
    result?: StreamResult;
    error?: unknown;
    lost: Warning[];
}
type WireApi = "openai-chat" | "openai-responses" | "anthropic-messages";
declare function encode(response: AnnotatedLlmResponse | StreamResult, api: WireApi, options?: EncodeOptions): EncodedBody;
declare function translateResponse(response: Response | PromiseLike<Response>, options: TranslateResponseOptions): Promise<Response>;
declare function translateStream(source: StreamSource, options: TranslateOptions): TranslatedStream;

// respool/respool.wasm
import type { WebAssemblyModule } from "./slim.js";
export default module;
declare const module: WebAssemblyModule;
