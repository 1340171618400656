// Converters: their options, and the messages that they return.
import { expectTypeOf } from "expect-type";
import { ModelResponseConverter, ResponseConverter } from "respool";
import type { ContentBlock, Converter, Message, ReasoningBlock, TextBlock, ToolCall, ToolCallBlock, Usage } from "respool";

declare const response: Response;
declare const ofResponses: Converter<Response>;
declare const chunks: AsyncIterable<{ choices: unknown[] }>;

for (const source of [
  response,
  chunks,
  Promise.resolve(response),
  "{}",
  new Uint8Array(),
  { choices: [] },
  () => response,
  async () => chunks,
]) {
  const answer = new ModelResponseConverter(source, "auto");
  expectTypeOf(answer.invoke()).toEqualTypeOf<Promise<Message>>();
  expectTypeOf(answer.stream({ threadId: "t" }, "node", { a: 1 })).toEqualTypeOf<AsyncGenerator<Message, void, undefined>>();
}
// @ts-expect-error: answers of this interface have no message
new ModelResponseConverter(response, "openai-embeddings");
// @ts-expect-error: a converter is needed
new ModelResponseConverter(response);
// @ts-expect-error: half a converter
new ModelResponseConverter(response, { convertResponse: async () => ({}) as Message });
new ModelResponseConverter(Promise.resolve(response), ofResponses);

/** A custom converter, for the user's own type of response. */
class ParrotConverter implements Converter<{ squawk: string }> {
  async convertResponse({ squawk }: { squawk: string }): Promise<Message> {
    const metadata = { provider: "parrot", finishReason: { unknown: "tired" } };
    const content: ContentBlock[] = [{ type: "text", text: squawk }];
    return { messageId: "1", role: "assistant", content, delta: false, toolCalls: [], reasoning: "", timestamp: 0, metadata };
  }
  async *convertStreamingResponse(_config: object, _nodeName: string | undefined, response: { squawk: string }) {
    yield await this.convertResponse(response);
  }
}
new ModelResponseConverter(async () => ({ squawk: "Hello" }), new ParrotConverter());
// @ts-expect-error: the converter is for something else
new ModelResponseConverter({ quack: "Hello" }, new ParrotConverter());

expectTypeOf(new ResponseConverter("openai-chat", { limits: { maxDepth: 5 } })).toExtend<Converter>();
// @ts-expect-error: the interface is the first argument
new ResponseConverter("openai-chat", { api: "auto" });

declare const message: Message;
expectTypeOf(message.role).toEqualTypeOf<"assistant">();
expectTypeOf(message.toolCalls).toEqualTypeOf<ToolCall[]>();
expectTypeOf(message.usage).toEqualTypeOf<Usage | undefined>();
expectTypeOf(message.metadata.nodeName).toEqualTypeOf<string | undefined>();
expectTypeOf(message.metadata.latency).toEqualTypeOf<unknown>();
for (const block of message.content) {
  if (block.type === "text") expectTypeOf(block).toEqualTypeOf<TextBlock>();
  else if (block.type === "reasoning") expectTypeOf(block).toEqualTypeOf<ReasoningBlock>();
  else if (block.type === "tool_call") expectTypeOf(block).toEqualTypeOf<ToolCallBlock>();
}
