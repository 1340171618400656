// Messages in one form for all providers.
import { ANTHROPIC, capture, CHAT, RESPONSES, STREAM } from "../bodies.mjs";
import { equal, ok, thrownBy } from "../expect.mjs";

export default {
  async "whole answers"({ ModelResponseConverter }) {
    const message = await new ModelResponseConverter(async () => ANTHROPIC, "auto").invoke();
    equal([message.role, message.delta, message.metadata.provider], ["assistant", false, "anthropic-messages"], "message");
    equal(
      message.content.map(({ type }) => type),
      ["text", "tool_call"],
      "content",
    );
    equal(message.content[1].arguments, { port: "Skjervøy" }, "arguments");
    ok(/^[0-9a-f-]{32,36}$/.test(message.messageId), `an id, not ${message.messageId}`);
    equal((await new ModelResponseConverter(RESPONSES, "openai-responses").invoke()).usage.totalTokens, 14, "usage");
    equal((await new ModelResponseConverter(JSON.stringify(CHAT), "litellm").invoke()).toolCalls[0].name, "tide", "calls");
  },

  async "streamed ones: pieces, then all of it"({ ModelResponseConverter }) {
    const messages = [];
    const converter = new ModelResponseConverter(() => new Response(capture()), "openai-chat");
    for await (const message of converter.stream({ thread_id: "t" }, "node")) messages.push(message);
    const last = messages.pop();
    ok(messages.length > 2 && messages.every(({ delta }) => delta) && !last.delta, "pieces before the whole");
    ok(
      messages.every(({ messageId }) => messageId === last.messageId),
      "one id",
    );
    equal(last.toolCalls, STREAM.toolCalls, "calls");
    equal([last.metadata.threadId, last.metadata.nodeName, last.metadata.ending], ["t", "node", "complete"], "metadata");
  },

  async "a converter that adds to the built-in one"({ ResponseConverter }) {
    class Tiered extends ResponseConverter {
      async convertResponse(response) {
        const message = await super.convertResponse(response);
        return { ...message, metadata: { ...message.metadata, tier: "fast" } };
      }
    }
    const { metadata } = await new Tiered().convertResponse(RESPONSES);
    equal([metadata.provider, metadata.tier], ["openai-responses", "fast"], "metadata");
  },

  async "a name that there is not"({ ResponseConverter, RespoolError }) {
    const error = await thrownBy(() => new ResponseConverter("carrier-pigeon"), "an unknown converter");
    ok(RespoolError.isInstance(error), `a RespoolError, not ${error}`);
    equal(error.code, "invalid-option", "code");
  },
};
