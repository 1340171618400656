// The spans and values that tracing backends receive.
import { capture, CHAT } from "../bodies.mjs";
import { equal, ok } from "../expect.mjs";

/** Runs `work` while a backend records its spans. */
async function traced({ tracer }, work) {
  const seen = [];
  tracer.add("a test", (name) => ({
    emit: (key, value) => seen.push([name, key, value]),
    end: () => seen.push([name, "end"]),
  }));
  try {
    await work();
  } finally {
    equal([tracer.remove("a test"), tracer.remove("a test")], [true, false], "remove");
  }
  return seen;
}

const keysOf = (seen) => seen.map(([, key]) => key);

export default {
  async "a body, without its secrets"(respool) {
    const seen = await traced(respool, () => respool.process({ api_key: "sk-1" }, CHAT));
    equal(keysOf(seen), ["signature", "inputs", "result", "response", "usage", "end"], "what is told");
    ok(!JSON.stringify(seen).includes("sk-1"), "secrets to be replaced");
  },

  async "a stream"(respool) {
    const seen = await traced(respool, async () => {
      for await (const item of respool.processStream({}, new Response(capture()))) ok(item, "an item");
    });
    ok(keysOf(seen).includes("items") && keysOf(seen).at(-1) === "end", `items and an end, not ${keysOf(seen)}`);
  },

  async "an error"(respool) {
    const seen = await traced(respool, () => {
      try {
        respool.process({}, {});
      } catch {
        // The backend must receive the error.
      }
    });
    ok(keysOf(seen).includes("error"), `an error, not ${keysOf(seen)}`);
  },

  async "a request and its tools"(respool) {
    const call = { index: 0, id: "a", function: { name: "tide", arguments: "{}" } };
    const turns = [
      [{ choices: [{ delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] }],
      [{ choices: [{ delta: { content: "Noon." }, finish_reason: "stop" }] }],
    ];
    const seen = await traced(respool, () =>
      respool.runRequest({ transport: () => turns.shift(), messages: [], tools: { tide: () => "noon" } }).result(),
    );
    const ends = seen.filter(([, key]) => key === "end").map(([name]) => name);
    equal(ends.filter((name) => name !== "process").sort(), ["execute_tool", "turn", "turn"], "spans");
  },

  "lines for people"({ consoleTracer, process, tracer }) {
    const lines = [];
    tracer.add("console", consoleTracer({ now: () => 0, write: (line) => lines.push(line) }));
    process({}, CHAT);
    tracer.clear();
    equal([lines[0], lines.at(-1)], ["process", "process took 0.0 ms"], "first and last line");
  },
};
