// The methods of SDKs as transports: their parameters have their own types, and their first overload doesn't stream.
import Anthropic from "@anthropic-ai/sdk";
import {
  BedrockRuntimeClient,
  ConverseStreamCommand,
  InvokeModelWithResponseStreamCommand,
} from "@aws-sdk/client-bedrock-runtime";
import OpenAI from "openai";
import { collect, runRequest } from "respool";

const openai = new OpenAI();
runRequest({ transport: (payload, { signal }) => openai.chat.completions.create(payload, { signal }), messages: [] });
runRequest({ transport: (payload, { signal }) => openai.responses.create(payload, { signal }), messages: [] });
const anthropic = new Anthropic();
runRequest({ transport: (payload, { signal }) => anthropic.messages.create(payload, { signal }), messages: [] });
runRequest({ transport: (payload, { signal }) => anthropic.messages.stream(payload, { signal }), messages: [] });
const aws = new BedrockRuntimeClient();
runRequest({
  transport: (payload, { signal }) => aws.send(new ConverseStreamCommand(payload), { abortSignal: signal }),
  messages: [],
});
collect(aws.send(new ConverseStreamCommand({ modelId: "m" })));
collect(aws.send(new InvokeModelWithResponseStreamCommand({ modelId: "m" })));
// @ts-expect-error: an answer without a stream
collect(Promise.resolve({ $metadata: {}, stream: [] }));
