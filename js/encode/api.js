/** The public interface of `respool/encode`, for a module that has been initialised. Documented in encode.d.ts. */

export { encode } from "./encode.js";
export { StreamEncoder } from "./stream_encoder.js";
export { translateResponse } from "./translate_response.js";
export { translateStream } from "./translate_stream.js";
