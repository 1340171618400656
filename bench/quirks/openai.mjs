// OpenAI's SDK: the helpers that accumulate streams, and `create` for bodies.
import OpenAI from "openai";
import { versionOf } from "../machine.mjs";

/** @import { ChatCompletionSnapshot } from "openai/lib/ChatCompletionStream" */
/** @import { Adapter, Answer } from "../../tests/fixtures/quirks/check.mjs" */

const CHAT = { model: "gpt-4o", messages: [{ role: /** @type {const} */ ("user"), content: "Tides?" }] };
const RESPONSES = { model: "gpt-4.1-mini", input: "Tides?" };

/** @type {Adapter} */
export default {
  name: "openai",
  version: versionOf("openai"),
  reads: { "openai-chat": ["stream", "body"], "openai-responses": ["stream", "body"] },
  // Chat completions of OpenAI have no reasoning.
  lacks: ["openai-chat reasoning"],
  async read({ api, form, fetch }, answer) {
    const client = new OpenAI({ apiKey: "none", maxRetries: 0, logLevel: "off", fetch });
    if (api === "openai-chat") await (form === "stream" ? streamChat(client, answer) : createChat(client, answer));
    else await (form === "stream" ? streamResponse(client, answer) : createResponse(client, answer));
  },
};

/** @param {OpenAI} client @param {Answer} answer */
async function streamChat(client, answer) {
  const stream = client.chat.completions.stream({ ...CHAT, stream_options: { include_usage: true } });
  /** @type {ChatCompletionSnapshot | undefined} */
  let last;
  stream.on("chunk", (_, snapshot) => {
    last = snapshot;
  });
  try {
    addCompletion(await stream.finalChatCompletion(), answer);
  } catch (error) {
    answer.error = error;
    if (last !== undefined) addCompletion(last, answer);
  }
}

/** @param {OpenAI} client @param {Answer} answer */
async function createChat(client, answer) {
  addCompletion(await client.chat.completions.create(CHAT), answer);
}

/** @param {OpenAI.ChatCompletion | ChatCompletionSnapshot} completion @param {Answer} answer */
function addCompletion(completion, answer) {
  answer.all = completion;
  const usage = "usage" in completion ? completion.usage : undefined;
  if (usage) {
    answer.usage = {
      promptTokens: usage.prompt_tokens,
      completionTokens: usage.completion_tokens,
      totalTokens: usage.total_tokens,
    };
  }
  const [choice] = completion.choices;
  if (choice === undefined) return;
  const { message, finish_reason } = choice;
  answer.text = message.content ?? "";
  if (message.refusal) answer.refusal = message.refusal;
  if (finish_reason) answer.ending = "complete";
  // Gaps in the indices leave holes in the list.
  answer.toolCalls = Object.values(message.tool_calls ?? []).map((call) =>
    call.type === "custom"
      ? { id: call.id, name: call.custom.name, arguments: JSON.stringify(call.custom.input) }
      : { id: call.id, name: call.function.name, arguments: call.function.arguments },
  );
}

/** @param {OpenAI} client @param {Answer} answer */
async function streamResponse(client, answer) {
  const stream = client.responses.stream(RESPONSES);
  stream.on("response.output_text.delta", ({ delta }) => {
    answer.text += delta;
  });
  addResponse(await stream.finalResponse(), answer);
}

/** @param {OpenAI} client @param {Answer} answer */
async function createResponse(client, answer) {
  addResponse(await client.responses.create(RESPONSES), answer);
}

const ENDINGS = { completed: "complete", incomplete: "complete", failed: "failed" };

/** @param {OpenAI.Responses.Response} response @param {Answer} answer */
function addResponse(response, answer) {
  const { output, output_text, status, error, usage } = response;
  answer.all = response;
  // If the response lacks its output, its deltas have the text.
  answer.text = output_text || answer.text;
  if (error !== null && error !== undefined) answer.error = error;
  Object.assign(answer, { ending: ENDINGS[/** @type {keyof typeof ENDINGS} */ (status)] ?? "truncated" });
  if (usage) {
    answer.usage = { promptTokens: usage.input_tokens, completionTokens: usage.output_tokens, totalTokens: usage.total_tokens };
  }
  for (const item of output) addItem(item, answer);
}

/** @param {OpenAI.Responses.ResponseOutputItem} item @param {Answer} answer */
function addItem(item, answer) {
  switch (item.type) {
    case "function_call":
      answer.toolCalls.push({ id: item.call_id, name: item.name, arguments: item.arguments });
      break;
    case "custom_tool_call":
      answer.toolCalls.push({ id: item.call_id, name: item.name, arguments: JSON.stringify(item.input) });
      break;
    case "reasoning":
      for (const { text } of [...(item.summary ?? []), ...(item.content ?? [])]) answer.reasoning += text;
      break;
    case "message":
      for (const part of item.content) if (part.type === "refusal") answer.refusal = (answer.refusal ?? "") + part.refusal;
  }
}
