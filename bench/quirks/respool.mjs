// respool: streamDeltas, which reads streams and complete bodies alike.
import { streamDeltas } from "respool";
import { versionOf } from "../machine.mjs";

/** @import { Adapter } from "../../tests/fixtures/quirks/check.mjs" */

/** @type {Adapter} */
export default {
  name: "respool",
  version: versionOf("respool"),
  reads: {
    "openai-chat": ["stream", "body"],
    "openai-responses": ["stream", "body"],
    "anthropic-messages": ["stream", "body"],
    gemini: ["stream", "body"],
    "gemini-interactions": ["stream", "body"],
    "bedrock-converse": ["stream", "body"],
    "ollama-chat": ["stream", "body"],
    "cohere-chat": ["stream", "body"],
    "workers-ai": ["stream", "body"],
  },
  async read({ fetch }, answer) {
    const deltas = streamDeltas(fetch(), { throwOnError: false });
    for await (const _ of deltas);
    const { result } = deltas;
    if (result === undefined) throw new Error("there is no result");
    const { text, reasoning, refusal, toolCalls, usage, ending, error, response } = result;
    Object.assign(answer, { text, reasoning, refusal, toolCalls, usage, error, all: response });
    if (ending === "complete" || ending === "truncated" || ending === "failed") answer.ending = ending;
  },
};
