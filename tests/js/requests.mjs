// Requests to the model server. The importing test closes it.
import { startModelServer } from "../server/index.mjs";
import { liveObjects, respool } from "./leaks.mjs";

export const { runRequest, fetchTransport } = respool;

export { REFUSING } from "../server/index.mjs";

export const server = await startModelServer();

export const APIS = [
  "openai-chat",
  "openai-responses",
  "anthropic-messages",
  "gemini",
  "gemini-interactions",
  "bedrock-converse",
  "ollama-chat",
  "cohere-chat",
];

/** Returns a message of the user in the form of an interface. */
export function userMessage(api, text) {
  if (api === "gemini") return { role: "user", parts: [{ text }] };
  if (api === "gemini-interactions") return { type: "user_input", content: [{ type: "text", text }] };
  return { role: "user", content: api === "bedrock-converse" ? [{ text }] : text };
}

const PARAMS = {
  gemini: { generationConfig: { maxOutputTokens: 100 } },
  "bedrock-converse": { inferenceConfig: { maxTokens: 100 } },
};

const paramsOf = (api) => PARAMS[api] ?? { model: "stub", max_tokens: 100 };

const noWait = { setTimeout: (run, ms) => setTimeout(run, Math.min(ms, 1)), clearTimeout };

/** Starts a request to a conversation with this script, and returns both. */
export function ask(api, turns, { transport = {}, ...options } = {}) {
  const conversation = Array.isArray(turns) || typeof turns === "function" ? server.script(turns) : turns;
  const request = runRequest({
    transport: fetchTransport({ url: conversation.urlOf(api), api, maxRetries: 0, clock: noWait, ...transport }),
    messages: [userMessage(api, "Ferry?")],
    params: paramsOf(api),
    ...options,
  });
  return { request, conversation };
}

/** Returns the result of a request, however it ends. */
export async function resultOf(request) {
  await request.result().catch(() => {});
  return request.getResult();
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Resolves when nothing more can happen: no connection is open, and the module has no live objects. */
export async function settled(...conversations) {
  const isOpen = () => conversations.some(({ received }) => received.some(({ end }) => end === "open" || end === "stalled"));
  for (let left = 2000; left > 0 && (isOpen() || liveObjects() > 0); left--) await turn();
  const ends = conversations.flatMap(({ received }) => received.map(({ end }) => end));
  return { ends, live: liveObjects() };
}

/** Returns the conversation in the last request. */
export function lastSent(conversation) {
  const { messages, input, contents } = conversation.received.at(-1).body;
  return messages ?? input ?? contents;
}

/** Returns the messages after the first one, without the model's own. */
export const messagesTo = (conversation) => lastSent(conversation).slice(1);
