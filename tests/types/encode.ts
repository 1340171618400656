// Responses in other interfaces.
import { expectTypeOf } from "expect-type";
import { collect, decode, streamDeltas } from "respool";
import type { AnnotatedLlmResponse, StreamResult, Warning } from "respool";
import { encode, StreamEncoder, translateResponse, translateStream } from "respool/encode";
import type { EncodedBody, EncodeOptions, TranslatedStream, TranslationEnd, WireApi } from "respool/encode";

declare const response: Response;
expectTypeOf<WireApi>().toEqualTypeOf<"openai-chat" | "openai-responses" | "anthropic-messages">();

expectTypeOf(encode(decode({}), "openai-chat")).toEqualTypeOf<EncodedBody>();
collect(response).then((result) =>
  expectTypeOf(encode(result, "openai-responses", { model: "m" }).lost).toEqualTypeOf<Warning[]>(),
);
// @ts-expect-error: not an interface that can be written
encode(decode({}), "gemini");
// @ts-expect-error: an option for reading
encode(decode({}), "openai-chat", { limits: {} });

const encoder = new StreamEncoder("anthropic-messages", { api: "openai-chat", limits: { maxDepth: 9 }, inputTokens: 7 });
for (const bytes of [
  encoder.push({}),
  encoder.pushBytes(new Uint8Array()),
  encoder.finish(),
  encoder.abort(),
  encoder.heartbeat(),
]) {
  expectTypeOf(bytes).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
}
expectTypeOf(encoder.save()).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
expectTypeOf(StreamEncoder.restore(encoder.save(), { inputTokens: 7 })).toEqualTypeOf<StreamEncoder>();
// @ts-expect-error: not an option
StreamEncoder.restore(encoder.save(), { to: "openai-chat" });
expectTypeOf(encoder.result).toEqualTypeOf<StreamResult | undefined>();
expectTypeOf(encoder.isOver).toEqualTypeOf<boolean>();
// @ts-expect-error: read-only
encoder.lost = [];

for (const source of [response, fetch(""), [{ choices: [] }], ["data: {}\n\n"]]) {
  expectTypeOf(
    translateStream(source, { to: "openai-chat", includeUsage: true, throwOnError: false }),
  ).toEqualTypeOf<TranslatedStream>();
}
// @ts-expect-error: the interface is required
translateStream(response, {});
// @ts-expect-error: no source
translateStream(5, { to: "openai-chat" });
new Response(translateStream(streamDeltas(response), { to: "openai-chat" }).stream);

const made = translateResponse(fetch(""), {
  to: "anthropic-messages",
  signal: new AbortController().signal,
  reasoning: "drop",
  onEnd: (end) => expectTypeOf(end).toEqualTypeOf<TranslationEnd>(),
});
expectTypeOf(made).toEqualTypeOf<Promise<Response>>();
// @ts-expect-error: an option of streams only
translateResponse(response, { to: "openai-chat", throwOnError: false });
expectTypeOf<TranslationEnd["response"]>().toEqualTypeOf<AnnotatedLlmResponse | undefined>();
expectTypeOf<EncodeOptions["unsignedThinking"]>().toEqualTypeOf<"keep" | "drop" | undefined>();
expectTypeOf<EncodeOptions["customTools"]>().toEqualTypeOf<readonly string[] | undefined>();
