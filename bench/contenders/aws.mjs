// AWS's SDK, which reads from our request handler. It has no helper that accumulates a stream: a few lines of code do that.
import { BedrockRuntimeClient, ConverseStreamCommand } from "@aws-sdk/client-bedrock-runtime";
import { Readable } from "node:stream";
import { addConverseEvent, emptyConversation } from "./converse.mjs";

/** @import { ConverseStreamCommandInput } from "@aws-sdk/client-bedrock-runtime" */
/** @import { Contender } from "./index.mjs" */

/** @type {Uint8Array[]} */
let reads = [];
const client = new BedrockRuntimeClient({
  region: "eu-north-1",
  credentials: { accessKeyId: "none", secretAccessKey: "none" },
  requestHandler: {
    handle: async () => ({
      response: {
        statusCode: 200,
        headers: { "content-type": "application/vnd.amazon.eventstream" },
        body: Readable.from(reads),
      },
    }),
  },
});
/** @type {ConverseStreamCommandInput} */
const REQUEST = { modelId: "anthropic.claude-haiku-4-5", messages: [{ role: "user", content: [{ text: "Ferry?" }] }] };

/** @param {Uint8Array[]} input */
async function run(input) {
  reads = input;
  const { stream } = await client.send(new ConverseStreamCommand(REQUEST));
  const conversation = emptyConversation();
  for await (const event of stream ?? []) {
    for (const [name, value] of Object.entries(event)) addConverseEvent(conversation, name, value);
  }
  return conversation.answer;
}

/** @type {Contender[]} */
export default [
  { name: "@aws-sdk/client-bedrock-runtime", takes: "bedrock reads", over: "Response", run, outcome: (answer) => answer },
];
