/** The public interface of `respool/core`, for a module that has been initialised. Documented in types/core.d.ts. */

export { detectApi } from "../../pkg/wasm/respool.js";
export { registerCodec } from "../codecs.js";
export { StreamAccumulator } from "../accumulator.js";
export { collect } from "../collect.js";
export { decode } from "../decode.js";
export * from "../error_classes.js";
export { PartialJson, parsePartialJson } from "../partial_json.js";
export { process, process as processResponse, processAsync } from "../tracing/process.js";
export { tracer } from "../tracing/tracer.js";
export { RAW_JSON } from "../raw_json.js";
export { SseDecoder } from "../sse_decoder.js";
export { hasToolCalls, isComplete, responseText } from "../response.js";
export { StreamDeltas } from "../stream_deltas.js";
export { processStream, streamDeltas } from "../streams.js";
export { tap } from "../tap.js";
