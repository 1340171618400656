// Requests: they ask the model, run the tools that it calls, and ask again.
import { CHAT, sse } from "../bodies.mjs";
import { equal, ok, thrownBy } from "../expect.mjs";

const chunk = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
const CALLING = chunk(
  { tool_calls: [{ index: 0, id: "a", function: { name: "tide", arguments: '{"port":"Bodø"}' } }] },
  "tool_calls",
);
const ANSWER = [chunk({ content: "High tide " }), chunk({ content: "is at 9:35." }, "stop")];
const MESSAGES = [{ role: "user", content: "When is high tide in Bodø?" }];

/** Returns a transport that returns these answers in order, and records the payloads in `asked`. */
function answering(turns) {
  const asked = [];
  const left = [...turns];
  const transport = (payload) => {
    asked.push(payload);
    return left.shift();
  };
  return { asked, transport };
}

export default {
  async "a turn with a tool, and one with the answer"({ runRequest }) {
    const { asked, transport } = answering([[CALLING], new Response(sse(ANSWER))]);
    const given = [];
    const request = runRequest({
      transport,
      messages: MESSAGES,
      tools: {
        async tide(args) {
          given.push(args);
          return { high: "9:35" };
        },
      },
    });
    const types = new Set();
    for await (const delta of request) types.add(delta.type);
    const { state, text, iterations, toolBudgetRemaining } = await request.result();
    equal([state, text, iterations, toolBudgetRemaining], ["completed", "High tide is at 9:35.", 2, 9], "result");
    equal(given, [{ port: "Bodø" }], "arguments");
    ok(types.has("tool-call-end") && types.has("text"), `deltas, not ${[...types]}`);
    equal(asked[1].messages.at(-1), { role: "tool", tool_call_id: "a", content: '{"high":"9:35"}' }, "what the model is told");
    equal(request.getResult().text, text, "the result once more");
  },

  async "a tool with a schema"({ runRequest, tool }) {
    const parameters = { type: "object", properties: { port: { type: "string", minLength: 5 } }, required: ["port"] };
    const tide = tool({ description: "The tide", parameters, execute: ({ port }) => port.toUpperCase() });
    const { asked, transport } = answering([[CALLING], ANSWER]);
    const { state, steps, messages } = await runRequest({ transport, messages: MESSAGES, tools: { tide } }).result();
    const error = "The arguments of tool 'tide' don't match its parameters: port: must have 5 or more characters";
    equal([state, steps[0].toolResults], ["completed", [{ id: "a", name: "tide", error }]], "steps");
    equal(asked[0].tools, [{ type: "function", function: { name: "tide", description: "The tide", parameters } }], "tools");
    equal(messages.at(-1), { role: "assistant", content: "High tide is at 9:35." }, "the conversation");
  },

  async "a tool that fails"({ runRequest }) {
    const tools = {
      tide() {
        throw new Error("no such port");
      },
    };
    const failed = await runRequest({ transport: () => [CALLING], messages: MESSAGES, tools }).result();
    equal([failed.state, failed.failure.cause.message], ["failed", "no such port"], "by default it is the end");
    const { asked, transport } = answering([[CALLING], ANSWER]);
    const { state } = await runRequest({ transport, messages: MESSAGES, tools, onToolError: "feedback" }).result();
    equal(state, "completed", "state");
    ok(asked[1].messages.at(-1).content.includes("no such port"), "the model to be told");
  },

  async "cancelled while a tool runs"({ runRequest }) {
    let signalOfTool;
    const request = runRequest({
      transport: () => [CALLING],
      messages: MESSAGES,
      tools: {
        tide: (_, { signal }) => {
          signalOfTool = signal;
          request.cancel("enough");
          return new Promise(() => {});
        },
      },
    });
    const error = await thrownBy(() => request.result(), "a canceled request");
    equal([error.name, request.state, signalOfTool.aborted], ["AbortError", "canceled", true], "the end");
  },

  async "a signal from outside"({ runRequest }) {
    const controller = new AbortController();
    const request = runRequest({
      transport: () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(sse(ANSWER.slice(0, 1))) })),
      messages: MESSAGES,
      signal: controller.signal,
      onDelta: ({ type }) => type === "text" && controller.abort(),
    });
    const error = await thrownBy(() => request.result(), "a canceled request");
    equal([error.name, request.getResult().state, request.getResult().text], ["AbortError", "canceled", "High tide "], "the end");
  },

  async "over fetch, which is tried again"({ runRequest, fetchTransport }) {
    const seen = [];
    const fetch = async (url, { body, headers, method }) => {
      seen.push([String(url), method, JSON.parse(body).model, new Headers(headers).get("authorization")]);
      return seen.length === 1 ? new Response("busy", { status: 503 }) : new Response(sse(ANSWER));
    };
    const clock = { setTimeout: (run) => void queueMicrotask(run), clearTimeout() {} };
    const transport = fetchTransport({
      url: "https://model.example/v1/chat/completions",
      headers: { authorization: "Bearer key" },
      body: { model: "m" },
      fetch,
      clock,
    });
    const { text } = await runRequest({ transport, messages: MESSAGES }).result();
    equal(text, "High tide is at 9:35.", "text");
    equal(seen, Array(2).fill(["https://model.example/v1/chat/completions", "POST", "m", "Bearer key"]), "requests");
  },

  async "an answer that is none"({ fetchTransport, ProviderError }) {
    const ask = fetchTransport({
      url: "https://model.example/",
      maxRetries: 0,
      fetch: async () => Response.json({ error: { message: "no key" } }, { status: 401 }),
    });
    const error = await thrownBy(() => ask({ messages: [] }), "a status");
    ok(ProviderError.isInstance(error), `a ProviderError, not ${error}`);
    equal([error.code, error.status], ["http-error", 401], "code and status");
  },

  "messages that tell a model the results"({ decode, formatToolMessages }) {
    const calls = [{ id: "call_1", name: "tide", arguments: "{}" }];
    const [assistant, toolResult] = formatToolMessages("openai-chat", decode(CHAT), calls, [{ high: "9:35" }]);
    equal([assistant.role, assistant.tool_calls[0].id], ["assistant", "call_1"], "what it said");
    equal(toolResult, { role: "tool", tool_call_id: "call_1", content: '{"high":"9:35"}' }, "the result");
    equal(formatToolMessages("anthropic-messages", decode(CHAT), calls, ["high"])[1].role, "user", "another form");
  },
};
