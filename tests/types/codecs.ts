// Codecs: which updates the compiler accepts.
import { type CodecUpdate, type FinishReason, registerCodec } from "respool";

const reason: FinishReason = { unknown: "tired" };
const codec = { name: "parrot", detect: () => true };
registerCodec({ ...codec, decode: () => [{ type: "finish", finishReason: "complete" }] });
registerCodec({ ...codec, decode: () => [{ type: "finish", finishReason: reason }] });
registerCodec({ ...codec, decode: () => ({ type: "usage", inputTokens: 3, raw: { prompt: 3 } }) });
export const calls: CodecUpdate[] = [{ type: "tool-call", name: "peel", arguments: { seed: 1 }, done: true }];

// @ts-expect-error: not a common reason
registerCodec({ ...codec, decode: () => [{ type: "finish", finishReason: "stop" }] });
// @ts-expect-error: not a count of respool's
export const usage: CodecUpdate = { type: "usage", prompt_tokens: 4 };
