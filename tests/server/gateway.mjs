// examples/gateway in front of a scripted model server, and official clients in front of it.
import { after, before, mock } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import worker from "../../examples/gateway/worker.js";
import { startModelServer } from "./index.mjs";

let server;
before(async () => {
  mock.method(console, "log", () => {});
  server = await startModelServer();
});
after(() => {
  mock.restoreAll();
  return server.close();
});

/** Returns a gateway in front of a conversation, and what it has logged. */
export function gatewayTo(api, turns, env = {}) {
  const conversation = server.script(turns);
  const settings = {
    GATEWAY_KEY: "client",
    MODEL_API: api,
    MODEL_URL: conversation.urlOf(api),
    MODEL_KEY: "key",
    MODEL: "stub",
    ...env,
  };
  const kept = [];
  const context = { waitUntil: (promise) => kept.push(promise) };
  const fetch = (url, init) => worker.fetch(new Request(url, init), settings, context);
  const openai = new OpenAI({ baseURL: "http://gateway.test/v1", apiKey: "client", maxRetries: 0, fetch });
  const anthropic = new Anthropic({ baseURL: "http://gateway.test", apiKey: "client", maxRetries: 0, fetch });
  return { conversation, fetch, openai, anthropic, ended: () => Promise.all(kept) };
}
