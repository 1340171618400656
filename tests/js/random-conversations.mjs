// Random conversations: the answers of a model, the faults of its server, and the behaviour of the tools.
import * as anthropic from "../server/anthropic.mjs";
import * as chat from "../server/chat.mjs";
import * as cohere from "../server/cohere.mjs";
import * as interactions from "../server/interactions.mjs";
import * as ollama from "../server/ollama.mjs";
import * as responses from "../server/responses.mjs";
import { streamOf } from "../server/send.mjs";
import { readTurn } from "../server/turn.mjs";
import { numbersFrom } from "./random.mjs";

const APIS = [chat, responses, anthropic, interactions, ollama, cohere];
export const TOOLS = ["tide", "ferry"];
export const EXIT_TOOLS = ["done", "ask_user"];

const ARGUMENTS = [{}, { port: "Bodø" }, { n: 2 ** 40, deep: [{ a: null }] }, '{"n": 12345678901234567890}', "", " "];
const BROKEN_ARGUMENTS = ['{"port":', "[1]", "no", '"text"'];
const FAULTS = [{ cut: 3 }, { end: 4 }, { stall: 2 }, { garbage: 3 }, { drip: true }, { gather: true }, { stall: 0 }, { cut: 0 }];
const TEXTS = ["One moment. ", "The ferry leaves at 9:35.", "é→日本 👩‍🚀", ["a", "", "<", "b <tool", "_cal"]];
const CALLS_IN_TEXT = [
  'I look. <tool_call>{"name": "tide", "arguments": {"port": "Bodø"}}</tool_call>',
  '<tool_call>{"name": "done", "arguments": {"ok": true}}</tool_call> Bye.',
  '<tool_call>{"name": "nobody", "arguments": {}}</tool_call>',
  '<tool_call>{"name": "ferry", "arguments": {}}</tool_call><tool_call>{"name": "ask_user", "arguments": {}}</tool_call>',
  "The same line again.\n".repeat(40),
];

/** Results of tools. A function is called with the context. */
const RESULTS = [
  "high",
  "",
  { height: 2.1 },
  undefined,
  null,
  7n,
  new Error("no port"),
  [1, 2],
  {
    content: [
      { type: "text", text: "a" },
      { type: "image", data: "iVBOR", mimeType: "image/png" },
    ],
  },
  { content: [{ type: "text", text: "bad" }], isError: true },
];

/** A conversation with a server in this process. */
export class RandomConversation {
  constructor(seed) {
    this.below = numbersFrom(seed + 11);
    this.api = this.pick(APIS);
    this.isFaulty = this.chance(2);
    this.hasTextCalls = this.chance(2);
    /** For each request, `{ payload, turn, fault, end }`. `end` is "open" until the answer is read, left or lost. */
    this.requests = [];
    /** For each call of a tool, `{ name, id, signal, isOver }`. */
    this.runs = [];
    this.count = 0;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  chance(of) {
    return this.below(of) === 0;
  }

  call() {
    const name = this.chance(6) ? this.pick(EXIT_TOOLS) : this.chance(12) ? "nobody" : this.pick(TOOLS);
    // Some servers number the calls of each answer from 0.
    const id = this.chance(8) ? `call_${this.below(2)}` : `call-${this.count++}`;
    return { id, name, arguments: this.chance(12) ? this.pick(BROKEN_ARGUMENTS) : this.pick(ARGUMENTS) };
  }

  /** Responses may have reasoning between its calls. */
  calls() {
    const calls = Array.from({ length: 1 + this.below(3) }, () => this.call());
    if (this.api !== responses) return calls;
    return calls.flatMap((call, at) => {
      const id = `rs-${this.requests.length}-${at}`;
      const thought = { name: "", item: { id, type: "reasoning", summary: [], encrypted_content: "c2VjcmV0" } };
      return at > 0 && this.chance(3) ? [thought, call] : [call];
    });
  }

  turn() {
    if (this.isFaulty && this.chance(5)) {
      const headers = this.pick([
        {},
        { "retry-after": "2" },
        { "retry-after-ms": "40" },
        { "retry-after": "Sat, 22 Nov 2025 09:00:00 GMT" },
        { "retry-after": "3600" },
      ]);
      return { status: this.pick([429, 500, 503, 400, 401]), headers, body: this.pick([undefined, "<html>Busy</html>", ""]) };
    }
    const text = this.hasTextCalls && this.chance(3) ? this.pick(CALLS_IN_TEXT) : this.chance(3) ? undefined : this.pick(TEXTS);
    return {
      text,
      reasoning: this.chance(3) ? "Hm, let me think." : undefined,
      refusal: this.isFaulty && this.chance(15) ? "I will not." : undefined,
      toolCalls: this.chance(3) ? [] : this.calls(),
      usage: this.chance(4) ? undefined : { prompt: this.below(50), completion: this.below(50) },
      ...(this.chance(8) && { finish: this.pick(["length", "content_filter"]) }),
      ...(this.isFaulty && this.chance(8) && { error: { message: "Overloaded", type: "overloaded_error" } }),
      ...(this.isFaulty && this.chance(4) && { fault: this.pick(FAULTS) }),
    };
  }

  /** Replaces `fetch`. */
  fetch = async (_, { body, signal }) => {
    const payload = JSON.parse(body);
    const turn = readTurn(this.turn());
    const request = { payload, turn, refused: this.api.faultOf({ max_tokens: 1, ...payload }), end: "open" };
    this.requests.push(request);
    await null;
    if (this.isFaulty && this.chance(12)) {
      request.end = "lost";
      throw new TypeError("fetch failed");
    }
    if (turn.status !== undefined)
      return this.answered(
        request,
        new Response(turn.body ?? JSON.stringify(this.api.errorBody({ message: "busy" })), {
          status: turn.status,
          headers: turn.headers,
        }),
      );
    if (this.chance(5) && !turn.error && !turn.fault) return this.answered(request, Response.json(this.api.body(turn)));
    let stream;
    const lose = () => stream.fail(new TypeError("terminated"));
    const source = streamOf(this.api.events(turn), turn.fault, {
      lose,
      onEnd: (end) => (request.end = request.end === "left" ? "left" : end),
    });
    stream = failable(source);
    signal.addEventListener("abort", () => stream.fail(signal.reason), { once: true });
    return new Response(stream.readable, { headers: { "content-type": "text/event-stream" } });
  };

  answered(request, response) {
    request.end = "sent";
    return response;
  }

  /** Returns a tool with random behaviour. With `mayHang`, it may never settle. */
  tool(name, mayHang) {
    return async (_, { signal, toolCall }) => {
      const run = { name, id: toolCall.id, signal, isOver: false };
      this.runs.push(run);
      for (let left = this.below(4); left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
      if (mayHang && this.chance(8)) await new Promise(() => {});
      run.isOver = true;
      if (this.chance(8))
        throw this.pick([new Error("no connection"), "text", undefined, new DOMException("stop", "AbortError")]);
      return this.pick(RESULTS);
    };
  }
}

/** Returns a stream with the bytes of another, which a test can make fail at any time, as an aborted fetch does. */
function failable(source) {
  const reader = source.getReader();
  let outer;
  const readable = new ReadableStream(
    {
      start(controller) {
        outer = controller;
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (outer === undefined) return;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const fail = (reason) => {
    outer?.error(reason);
    outer = undefined;
    reader.cancel(reason).catch(() => {});
  };
  return { readable, fail };
}
