/** The public interface, for a module that has been initialised. Documented in api.d.ts. */

export { decode, detectApi } from "../pkg/wasm/respool.js";
export { BatchReader } from "./batch.js";
export { registerCodec } from "./codecs.js";
export { StreamAccumulator } from "./accumulator.js";
export {
  DecodeError,
  LimitError,
  OutputParseError,
  ProviderError,
  RefusalError,
  RespoolError,
  StreamError,
} from "./errors.js";
export { PartialJson, parsePartialJson } from "./partial_json.js";
export { consoleTracer } from "./tracing/console.js";
export { process, processAsync } from "./tracing/process.js";
export { tracer } from "./tracing/tracer.js";
export { RAW_JSON } from "./raw_json.js";
export { SseDecoder } from "./sse_decoder.js";
export { hasToolCalls, isComplete, responseText } from "./response.js";
export { StreamDeltas, processStream, streamDeltas } from "./streams.js";
