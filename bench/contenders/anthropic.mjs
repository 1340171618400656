// Anthropic's SDK: the helper that accumulates a stream, which reads from our `fetch`.
import Anthropic from "@anthropic-ai/sdk";
import { Playback } from "../response.mjs";

const playback = new Playback();
const client = new Anthropic({ apiKey: "none", fetch: playback.fetch, maxRetries: 0 });
const REQUEST = { model: "claude-haiku-4-5", max_tokens: 4096, messages: [{ role: "user", content: "Ferry?" }] };

async function run(reads) {
  playback.respondWith(reads);
  let seen = 0;
  // Not its "inputJson" event: with a listener for that, the SDK would parse the arguments at each fragment.
  const stream = client.messages.stream(REQUEST).on("streamEvent", (event) => {
    if (event.type !== "content_block_delta") return;
    if (event.delta.type === "text_delta") seen += event.delta.text.length;
    else if (event.delta.type === "input_json_delta") seen += event.delta.partial_json.length;
  });
  return { message: await stream.finalMessage(), seen };
}

function outcome({ message: { content, stop_reason, usage }, seen }) {
  const of = (type) => content.filter((block) => block.type === type);
  return {
    text: of("text")
      .map(({ text }) => text)
      .join(""),
    // Only the parsed arguments are available.
    toolCalls: of("tool_use").map(({ id, name, input }) => ({ id, name, arguments: JSON.stringify(input) })),
    finishReason: stop_reason,
    usage: { input: usage.input_tokens, output: usage.output_tokens },
    seen,
  };
}

export default [{ name: "@anthropic-ai/sdk MessageStream", takes: "anthropic reads", over: "Response", run, outcome }];
