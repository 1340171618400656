// Anthropic's SDK: the helper that accumulates a stream, which reads from our `fetch`.
import Anthropic from "@anthropic-ai/sdk";
import { Playback } from "../response.mjs";

/** @import { Contender } from "./index.mjs" */
/** @import { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages" */

const playback = new Playback();
const client = new Anthropic({ apiKey: "none", fetch: playback.fetch, maxRetries: 0 });
/** @type {MessageCreateParams} */
const REQUEST = { model: "claude-haiku-4-5", max_tokens: 4096, messages: [{ role: "user", content: "Ferry?" }] };

/** @param {Uint8Array[]} reads */
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

/** @param {Awaited<ReturnType<typeof run>>} answer */
function outcome({ message: { content, stop_reason, usage }, seen }) {
  return {
    text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    // Only the parsed arguments are available.
    toolCalls: content.flatMap((block) =>
      block.type === "tool_use" ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input) }] : [],
    ),
    finishReason: stop_reason,
    usage: { input: usage.input_tokens, output: usage.output_tokens },
    seen,
  };
}

/** @type {Contender[]} */
export default [{ name: "@anthropic-ai/sdk MessageStream", takes: "anthropic reads", over: "Response", run, outcome }];
