/** The public interface, for a module that has been initialised. Documented in api.d.ts. */

export { detectApi } from "../pkg/wasm/respool.js";
export { registerCodec } from "./codecs.js";
export { StreamAccumulator } from "./accumulator.js";
export { collect } from "./collect.js";
export { decode } from "./decode.js";
export * from "./error_classes.js";
export { LoopDetector } from "./loop_detector.js";
export { repairJson } from "./outputs/json_text.js";
export { cast, castAsync, parseStructuredOutput, parseStructuredOutputAsync } from "./outputs/structured_output.js";
export { parseResponse, parseToolArguments } from "./outputs/tool_arguments.js";
export { PartialJson, parsePartialJson } from "./partial_json.js";
export { ModelResponseConverter } from "./converter/model_response_converter.js";
export { ResponseConverter } from "./converter/response_converter.js";
export { consoleTracer } from "./tracing/console.js";
export { process, process as processResponse, processAsync } from "./tracing/process.js";
export { tracer } from "./tracing/tracer.js";
export { RAW_JSON } from "./raw_json.js";
export { fetchTransport } from "./runner/fetch_transport.js";
export { formatToolMessages } from "./runner/messages/format.js";
export { runRequest } from "./runner/run_request.js";
export { tool } from "./runner/tool.js";
export { SseDecoder } from "./sse_decoder.js";
export { extractToolCalls } from "./text.js";
export { hasToolCalls, isComplete, responseText } from "./response.js";
export { StreamDeltas } from "./stream_deltas.js";
export { processStream, streamDeltas } from "./streams.js";
export { tap } from "./tap.js";
