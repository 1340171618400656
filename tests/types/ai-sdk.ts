// Answers for pages.
import { expectTypeOf } from "expect-type";
import { streamDeltas } from "respool";
import type { Delta } from "respool";
import { toUIMessageStream, toUIMessageStreamResponse } from "respool/ai-sdk";
import type { UIFinishReason, UIMessageChunk, UIUsage } from "respool/ai-sdk";

declare const response: Response;
declare const deltas: ReadableStream<Delta>;

for (const input of [response, fetch(""), response.body!, streamDeltas(response), deltas, [{ choices: [] }], ["data: {}\n\n"]]) {
  expectTypeOf(toUIMessageStream(input)).toEqualTypeOf<ReadableStream<UIMessageChunk>>();
}
const made = toUIMessageStreamResponse(response, {
  status: 200,
  headers: { "x-own": "1" },
  signal: new AbortController().signal,
  api: "openai-chat",
  messageMetadata({ finishReason, usage }) {
    expectTypeOf(finishReason).toEqualTypeOf<UIFinishReason | undefined>();
    expectTypeOf(usage).toEqualTypeOf<UIUsage | undefined>();
    return { usage };
  },
  onError: (error) => String(error),
});
expectTypeOf(made).toEqualTypeOf<Response>();
// Newer versions read more chunks.
expectTypeOf(toUIMessageStream(response, { version: 6 })).toEqualTypeOf<ReadableStream<UIMessageChunk<6>>>();
expectTypeOf<Extract<UIMessageChunk<7>, { type: "reasoning-file" | "tool-approval-request" }>>().not.toBeNever();
expectTypeOf<Extract<UIMessageChunk<6>, { type: "reasoning-file" }>>().toBeNever();
expectTypeOf<Extract<UIMessageChunk, { type: "reasoning-file" | "tool-approval-request" }>>().toBeNever();
toUIMessageStream(response, { version: 7, dynamicTools: (name) => name === "tide", resume: [{ type: "text", text: "Hi" }] });
// @ts-expect-error: no such version
toUIMessageStream(response, { version: 8 });
// @ts-expect-error: an option of the response only
toUIMessageStream(response, { status: 200 });
// @ts-expect-error: no source
toUIMessageStream(5);
