// respool
export type { Agent };
export type { AnnotatedLlmResponse };
export type { Api };
export type { ApiSpecific };
export type { Batch };
export type { BatchFault };
export type { BatchOptions };
export type { Bytes };
export type { Choice };
export type { ChoiceDetails };
export type { Codec };
export type { CodecUpdate };
export type { ConsoleTracerOptions };
export type { ContentPart };
export type { Delta };
export type { DeltaStream };
export type { Ending };
export type { Failure };
export type { FailureCode };
export type { FinishReason };
export type { JsonIndex };
export type { Limits };
export type { Message };
export type { PartialJsonResult };
export type { ProcessOptions };
export type { ProcessResult };
export type { ResponseToolCall };
export type { SpanFactory };
export type { SpanKey };
export type { SpanName };
export type { SseEvent };
export type { StreamAccumulatorOptions };
export type { StreamPiece };
export type { StreamResult };
export type { StreamSource };
export type { StreamSourceOptions };
export type { StructuredResult };
export type { ToolCall };
export type { ToolCallStatus };
export type { TraceSpan };
export type { Usage };
export type { Warning };
export type { WarningCode };
export { BatchReader };
export { DecodeError };
export { LimitError };
export { OutputParseError };
export { PartialJson };
export { ProviderError };
export { RAW_JSON };
export { RefusalError };
export { RespoolError };
export { SseDecoder };
export { StreamAccumulator };
export { StreamDeltas };
export { StreamError };
export { consoleTracer };
export { decode };
export { detectApi };
export { hasToolCalls };
export { isComplete };
export { parsePartialJson };
export { process };
export { processAsync };
export { processStream };
export { registerCodec };
export { responseText };
export { streamDeltas };
export { tracer };
interface Agent {
    model?: {
        id?: string;
        provider?: string;
        apiType?: string;
    };
    outputs?: unknown;
}
interface AnnotatedLlmResponse {
    id?: string;
    model?: string;
    message?: Message;
    refusal?: string;
    toolCalls?: ResponseToolCall[];
    finishReason?: FinishReason;
    rawFinishReason?: string;
    usage?: Usage;
    apiSpecific?: ApiSpecific;
    choices?: Choice[];
    extra: Record<string, unknown>;
}
type Api = "openai-chat" | "openai-responses" | "anthropic-messages" | "openai-embeddings" | "openai-images";
type ApiSpecific = {
    api: "openai_chat";
    logprobs?: unknown;
    systemFingerprint?: string;
    serviceTier?: string;
    choices?: ChoiceDetails[];
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
    api: "custom";
    apiName: string;
    data: unknown;
};
interface Batch {
    results: Uint8Array;
    lines: number;
    blank: number;
    faults: BatchFault[];
}
interface BatchFault {
    line: number;
    error: {
        code: string;
        message: string;
        providerType?: string;
        providerCode?: string;
    };
}
interface BatchOptions {
    api?: Api | "auto";
    agent?: Agent;
    whole?: boolean;
}
declare class BatchReader {
    constructor(options?: BatchOptions);
    read(lines: string | Bytes): Batch;
    free(): void;
    [Symbol.dispose](): void;
}
type Bytes = ArrayBuffer | ArrayBufferView;
interface Choice {
    index: number;
    message?: Message;
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
    toolCalls?: Record<string, unknown>;
}
interface Codec {
    name: string;
    detect(value: unknown): boolean;
    decode(body: any): CodecUpdate | CodecUpdate[];
    stream?(): (event: any) => CodecUpdate | CodecUpdate[] | undefined;
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
    part?: number;
    choice?: number;
} | {
    type: "reasoning";
    text?: string;
    signature?: string;
    encrypted?: string;
    part?: number;
    choice?: number;
} | {
    type: "tool-call";
    index?: number;
    id?: string;
    name?: string;
    arguments?: string | object;
    done?: boolean;
    choice?: number;
} | {
    type: "annotation";
    annotation: unknown;
    part?: number;
    choice?: number;
} | {
    type: "other";
    raw: unknown;
    part?: number;
    choice?: number;
} | ({
    type: "usage";
} & Partial<Omit<Usage, "raw">> & Record<string, unknown>) | {
    type: "finish";
    finishReason: string;
    rawFinishReason?: string;
    choice?: number;
} | {
    type: "error";
    message: string;
    providerType?: string;
    providerCode?: string;
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
interface ConsoleTracerOptions {
    write?: (line: string) => void;
    maxLength?: number;
    now?: () => number;
}
type ContentPart = {
    type: "text";
    text: string;
    annotations?: unknown[];
    logprobs?: unknown[];
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
    type: "server_tool";
    id?: string;
    name: string;
    call?: unknown;
    result?: unknown;
    raw: unknown;
} | {
    type: "other";
    raw: unknown;
};
declare class DecodeError extends RespoolError {
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
    part: ContentPart;
    choice?: number;
} | {
    type: "image";
    part: ContentPart;
    choice?: number;
} | {
    type: "audio";
    part: ContentPart;
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
}
type Ending = "open" | "complete" | "truncated" | "failed" | "aborted";
interface Failure {
    code: FailureCode;
    message: string;
    providerType?: string;
    providerCode?: string;
    raw?: unknown;
}
type FailureCode = "provider-error" | "limit-exceeded" | "aborted" | "codec-error";
type FinishReason = "complete" | "length" | "tool_use" | "content_filter" | {
    unknown: string;
};
type JsonIndex = number | "text";
declare class LimitError extends RespoolError {
}
interface Limits {
    maxEventBytes?: number;
    maxTotalBytes?: number;
    maxToolCalls?: number;
    maxChoices?: number;
    maxDepth?: number;
}
type Message = string | ContentPart[];
declare class OutputParseError extends RespoolError {
}
declare class PartialJson {
    constructor();
    apply(delta: Delta): boolean;
    get(index: JsonIndex, choice?: number): unknown;
    isDone(index: JsonIndex, choice?: number): boolean;
}
interface PartialJsonResult {
    value: unknown;
    state: "complete" | "partial" | "invalid";
}
interface ProcessOptions {
    textBlocks?: "all" | "first";
    vectors?: "array" | "float32" | "float64";
}
type ProcessResult = string | ToolCall[] | StructuredResult | number[] | number[][] | Float32Array | Float32Array[] | Float64Array | Float64Array[] | string[];
declare class ProviderError extends RespoolError {
    readonly providerType?: string;
    readonly providerCode?: string;
    readonly raw?: unknown;
}
declare const RAW_JSON: unique symbol;
declare class RefusalError extends RespoolError {
    readonly refusal: string;
    readonly outcome: "determinate";
    readonly partial: StreamResult;
}
interface ResponseToolCall {
    id: string;
    name: string;
    arguments: unknown;
}
declare class RespoolError extends Error {
    constructor(code: string, message: string, options?: {
        cause?: unknown;
    });
    readonly code: string;
    static isInstance<T extends abstract new (...args: never) => unknown>(this: T, value: unknown): value is InstanceType<T>;
}
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
declare class StreamAccumulator {
    constructor(options?: StreamAccumulatorOptions);
    push(chunk: object): Delta[];
    pushBytes(bytes: Bytes): Delta[];
    finish(): StreamResult;
    abort(reason?: unknown): StreamResult;
    snapshot(): StreamResult;
    takeDeltas(): Delta[];
    free(): void;
    [Symbol.dispose](): void;
}
interface StreamAccumulatorOptions {
    api?: Api | "auto" | (string & {});
    agent?: {
        model?: {
            id?: string;
            provider?: string;
            apiType?: string;
        };
        outputs?: unknown;
    };
    limits?: Limits;
    coalesce?: boolean;
    templates?: boolean;
    partialJson?: boolean;
}
declare class StreamDeltas extends TransformStream<StreamPiece, Delta> {
    constructor(options?: StreamAccumulatorOptions);
    readonly result: StreamResult | undefined;
}
declare class StreamError extends RespoolError {
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
type StreamSource = Response | ReadableStream<StreamPiece> | AsyncIterable<StreamPiece> | Iterable<StreamPiece> | PromiseLike<Response | ReadableStream<StreamPiece> | AsyncIterable<StreamPiece> | Iterable<StreamPiece>>;
interface StreamSourceOptions extends StreamAccumulatorOptions {
    signal?: AbortSignal;
}
type StructuredResult = ({
    readonly [RAW_JSON]?: string;
} & (Record<string, unknown> | unknown[])) | string | number | boolean | null;
interface ToolCall {
    id: string;
    name: string;
    arguments: string;
}
type ToolCallStatus = "complete" | "truncated" | "invalid";
interface TraceSpan {
    emit(key: SpanKey, value: unknown): void;
    end(): void;
    run?(call: () => unknown): unknown;
}
interface Usage {
    promptTokens?: number;
    completionTokens?: number;
    totalTokens?: number;
    reasoningTokens?: number;
    cacheReadTokens?: number;
    cacheWriteTokens?: number;
    audioTokens?: number;
    imageTokens?: number;
    raw?: unknown;
}
interface Warning {
    code: WarningCode;
    message: string;
}
type WarningCode = "invalid-event" | "unknown-event" | "stray-fragment" | "late-id" | "mismatch" | "out-of-order" | "unstreamed-arguments" | "invalid-json" | "too-many-warnings";
declare function consoleTracer(options?: ConsoleTracerOptions): SpanFactory;
declare function decode(response: unknown): AnnotatedLlmResponse;
declare function detectApi(response: unknown): Api | (string & {}) | undefined;
declare function hasToolCalls(response: AnnotatedLlmResponse): boolean;
declare function isComplete(response: AnnotatedLlmResponse): boolean;
declare function parsePartialJson(text: string): PartialJsonResult;
declare function process(agent: Agent, response: unknown, options?: ProcessOptions): ProcessResult;
declare function processAsync(agent: Agent, response: unknown, options?: ProcessOptions): Promise<ProcessResult>;
declare function processStream(agent: Agent, source: StreamSource, options?: StreamSourceOptions): AsyncGenerator<string | ToolCall, void, undefined>;
declare function registerCodec(codec: Codec): () => void;
declare function responseText(response: AnnotatedLlmResponse): string | undefined;
declare function streamDeltas(source: StreamSource, options?: StreamSourceOptions): DeltaStream;
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

// respool/otel
import { Tracer } from "@opentelemetry/api";
import { SpanFactory } from "respool";
export type { OtelTracerOptions };
export { otelTracer };
interface OtelTracerOptions {
    captureContent?: boolean;
}
declare function otelTracer(tracer?: Tracer, options?: OtelTracerOptions): SpanFactory;

// respool/respool.wasm
import type { WebAssemblyModule } from "./slim.js";
export default module;
declare const module: WebAssemblyModule;
