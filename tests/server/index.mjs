// A model server for tests: all interfaces that have tools, over real sockets. A script defines the model's answers and
// the faults of the transport, and the server records all requests.
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { cors } from "hono/cors";
import * as anthropic from "./anthropic.mjs";
import * as bedrock from "./bedrock.mjs";
import * as chat from "./chat.mjs";
import * as cohere from "./cohere.mjs";
import * as gemini from "./gemini.mjs";
import * as interactions from "./interactions.mjs";
import * as ollama from "./ollama.mjs";
import * as responses from "./responses.mjs";
import { streamOf } from "./send.mjs";
import { readTurn } from "./turn.mjs";

export const APIS = [chat, responses, anthropic, gemini, interactions, bedrock, ollama, cohere];

/** The interfaces that have refusals. */
export const REFUSING = ["openai-chat", "openai-responses", "anthropic-messages"];

/** The path of each interface. */
export const PATHS = Object.fromEntries(APIS.map(({ name, path }) => [name, path]));

/** A conversation: the scripted answers, and the requests received. */
class Conversation {
  /**
   * Each request: `{ api, headers, body, isRefused, end, over }`. `end` is `"open"` at first, then `"stalled"` if the answer
   * stalls, and finally `"sent"`, or `"left"` if the client has disconnected. `over` resolves with the final value.
   */
  received = [];
  #turns;

  /** `turns`: a list of turns (see turn.mjs), or a function that returns one for a request and its number. */
  constructor(url, turns) {
    this.url = url;
    this.#turns = turns;
  }

  /** Returns the URL of an interface. */
  urlOf(api) {
    return this.url + PATHS[api];
  }

  /** The number of unused turns in the list. */
  get left() {
    return Array.isArray(this.#turns) ? this.#turns.length : 0;
  }

  /** Records a request and returns the turn that answers it. */
  answer(request) {
    this.received.push(request);
    const turn = Array.isArray(this.#turns) ? this.#turns.shift() : this.#turns(request, this.received.length - 1);
    return readTurn(turn ?? { status: 500, error: { message: "the script has no turn left" } });
  }
}

/**
 * Starts a server on a free port of this machine, or on `port`. `server.script(turns)` begins a conversation with its own
 * URL. Requests to `server.url` itself are answered with `otherwise`, and are in `server.received`. Requests may come from
 * any origin. Unless `isStrict` is false, the server rejects requests that the interface would reject.
 */
export async function startModelServer({
  port = 0,
  otherwise = () => ({ text: "The ferry leaves at 9:35." }),
  isStrict = true,
} = {}) {
  const conversations = new Map();
  const app = new Hono();
  app.use(cors({ origin: "*", exposeHeaders: ["retry-after"] }));
  for (const api of APIS) {
    const handle = async (context) => {
      const conversation = conversations.get(context.req.param("id") ?? "");
      if (conversation === undefined) return context.json(api.errorBody({ message: "there is no such conversation" }), 404);
      return answer(api, conversation, context, isStrict);
    };
    const route = api.route ?? api.path;
    app.post(route, handle);
    app.post(`/c/:id${route}`, handle);
  }
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}`;
  const root = new Conversation(url, otherwise);
  conversations.set("", root);
  return {
    url,
    urlOf: (api) => root.urlOf(api),
    received: root.received,
    script(turns) {
      const id = String(conversations.size);
      conversations.set(id, new Conversation(`${url}/c/${id}`, turns));
      return conversations.get(id);
    },
    /** Removes all conversations, and closes idle connections. */
    clear() {
      conversations.clear();
      conversations.set("", root);
      server.closeIdleConnections();
    },
    /** Closes all connections, and resolves once the server has stopped. */
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(api, conversation, context, isStrict) {
  const body = await context.req.json().catch(() => undefined);
  const fault = body === undefined ? "the body is no JSON" : isStrict ? api.faultOf(body) : undefined;
  const request = { api: api.name, headers: context.req.header(), body, isRefused: fault !== undefined, end: "open" };
  request.over = new Promise((resolve) => {
    request.finish = (end) => {
      request.end = end;
      if (end !== "stalled") resolve(end);
    };
  });
  if (fault !== undefined) {
    conversation.received.push(request);
    return sent(request, context.json(api.errorBody({ message: fault, type: "invalid_request_error" }), 400));
  }
  const turn = conversation.answer(request);
  if (turn.status !== undefined) return sent(request, errorOf(api, turn));
  const isStream = api.isStream ? api.isStream(context.req.path) : body.stream === true;
  if (!isStream) return sent(request, context.json(api.body(turn)));
  const stream = streamOf(api.events(turn), turn.fault, {
    lose: () => context.env.outgoing.destroy(),
    onEnd: request.finish,
  });
  return context.body(stream, 200, { "content-type": api.contentType ?? "text/event-stream", "cache-control": "no-cache" });
}

function sent(request, response) {
  request.finish("sent");
  return response;
}

/** Returns an HTTP error response instead of the model's answer. */
function errorOf(api, { status, headers, body, error }) {
  const isText = typeof body === "string";
  const content = isText ? body : JSON.stringify(body ?? api.errorBody(error ?? { message: `status ${status}` }));
  return new Response(content, { status, headers: { "content-type": isText ? "text/html" : "application/json", ...headers } });
}
