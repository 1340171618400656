// Tools that the provider runs, as a page shows them: each is one part, which ends when the tool does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readUIMessageStream } from "ai";
import { toAgUiEvents } from "respool/ag-ui";
import { toUIMessageStream } from "respool/ai-sdk";
import { collect } from "./sources.mjs";

/** Returns a stream in which each item is added with the first of its states and done with the last. */
function streamOf(...items) {
  const events = items.flatMap((states, output_index) =>
    states.map((item, at) => ({ type: `response.output_item.${at === 0 ? "added" : "done"}`, output_index, item })),
  );
  const output = items.map((states) => states.at(-1));
  const response = { id: "resp_1", object: "response", model: "gpt-5", status: "completed", output };
  return [...events, { type: "response.completed", response }];
}

async function partsOf(stream) {
  let last;
  for await (const message of readUIMessageStream({ stream: toUIMessageStream(stream) })) last = message;
  return last.parts
    .filter(({ type }) => type === "dynamic-tool")
    .map(({ toolCallId, toolName, state, input, output }) => [toolCallId, toolName, state, input, output]);
}

const web = { id: "ws_1", type: "web_search_call" };
const action = { type: "search", query: "ferry" };
const files = { id: "fs_1", type: "file_search_call", queries: ["ferry"] };
const search = { id: "tsc_1", type: "tool_search_call", call_id: null, execution: "server", arguments: { paths: ["harbour"] } };
const found = { id: "tso_1", type: "tool_search_output", call_id: null, execution: "server" };
const tools = [{ type: "function", name: "wind" }];
const environment = { type: "container_reference", container_id: "cntr_1" };
const shell = { id: "sh_1", type: "shell_call", call_id: "call_1", action: { commands: ["uname"] }, environment };
const running = (item) => ({ ...item, status: "in_progress" });
const over = (item) => ({ ...item, status: "completed" });

test("a tool without a result ends with its item", async () => {
  const items = [
    [running(web), over({ ...web, action })],
    [running({ ...files, queries: [] }), over({ ...files, results: null })],
  ];
  assert.deepEqual(await partsOf(streamOf(...items)), [
    ["ws_1", "web_search", "output-available", action, { action }],
    ["fs_1", "file_search", "output-available", ["ferry"], { queries: ["ferry"], results: null }],
  ]);
});

test("a failed tool has its status", async () => {
  const stream = streamOf([running(web), { ...web, action, status: "failed" }]);
  assert.deepEqual((await partsOf(stream))[0].at(-1), { status: "failed", action });
});

test("a running tool, or one whose output is a separate item, hasn't ended", async () => {
  const parts = await partsOf(streamOf([running(web)], [running(shell), over(shell)]));
  assert.deepEqual(
    parts.map(([, , state]) => state),
    ["input-available", "input-available"],
  );
});

test("the output of Gemini's code belongs to the code with its id", async () => {
  const code = (id) => ({ executableCode: { id, code: `print("${id}")` } });
  const output = (id) => ({ codeExecutionResult: { id, output: `of ${id}` } });
  const parts = [code("a"), code("b"), output("b"), output("a")];
  const stream = [...parts, { text: "Done" }].map((part) => ({ candidates: [{ content: { parts: [part] } }] }));
  stream.at(-1).candidates[0].finishReason = "STOP";
  const { executableCode: a } = parts[0];
  const { executableCode: b } = parts[1];
  assert.deepEqual(await partsOf(stream), [
    ["a", "code_execution", "output-available", a, { id: "a", output: "of a" }],
    ["b", "code_execution", "output-available", b, { id: "b", output: "of b" }],
  ]);
  const contents = new Map();
  for await (const { type, messageId, content } of toAgUiEvents(stream, { threadId: "t", runId: "r" })) {
    if (type.startsWith("ACTIVITY")) contents.set(messageId, content);
  }
  assert.deepEqual(
    [...contents.values()].map((content) => content.result.output),
    ["of a", "of b"],
  );
});

test("a search for tools is one part", async () => {
  const output = [running({ ...found, tools: [] }), over({ ...found, tools })];
  const other = [search, found].map(({ id, ...item }) => ({ ...item, id: `${id}b` }));
  const stream = streamOf(
    [running({ ...search, arguments: {} }), over(search)],
    output,
    [running(other[0]), over(other[0])],
    [over({ ...other[1], tools: [] })],
  );
  assert.deepEqual(await partsOf(stream), [
    ["tsc_1", "tool_search", "output-available", search.arguments, tools],
    ["tsc_1b", "tool_search", "output-available", search.arguments, []],
  ]);
  const parallel = streamOf([over(search)], [over(other[0])], output, [over({ ...other[1], tools: [] })]);
  assert.deepEqual(await partsOf(parallel), await partsOf(stream));
  const activities = (await collect(toAgUiEvents(stream, { threadId: "t", runId: "r" }))).filter(
    ({ type }) => type === "ACTIVITY_SNAPSHOT",
  );
  assert.equal(new Set(activities.map(({ messageId }) => messageId)).size, 2);
});

test("an activity has the status", async () => {
  const events = await collect(toAgUiEvents(streamOf([running(web), over({ ...web, action })]), { threadId: "t", runId: "r" }));
  const contents = events.filter(({ type }) => type === "ACTIVITY_SNAPSHOT").map(({ content }) => content);
  assert.deepEqual(contents, [
    { id: "ws_1", name: "web_search", status: "in_progress" },
    { id: "ws_1", name: "web_search", status: "completed", call: action },
  ]);
});
