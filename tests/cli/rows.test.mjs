// --format: a row per response, as JSON lines, CSV or text, from batches, bodies and streams.
import assert from "node:assert/strict";
import { test } from "node:test";
import { csvLine } from "../../bin/csv.js";
import { chatBody, chatStream, folderWith, fromLines, run, toLines } from "./command.mjs";

const line = (id, body, more) => ({
  id: `batch_req_${id}`,
  custom_id: id,
  response: { status_code: 200, body },
  error: null,
  ...more,
});

/** Returns the cells of a table, read as RFC 4180 describes them. */
function cellsOf(csv) {
  const rows = [[]];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy;
  for (let at = 0; at < csv.length; at = cells.lastIndex) {
    cells.lastIndex = at;
    const match = cells.exec(csv);
    assert.ok(match, `not CSV at ${at}: ${csv.slice(at, at + 40)}`);
    const [, quoted, plain, end] = match;
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "\r\n") rows.push([]);
  }
  assert.deepEqual(rows.pop(), [], "it ends with a line end");
  return rows;
}

/** Returns the rows of a table as objects. */
function rowsOf(csv) {
  const [header, ...rows] = cellsOf(csv);
  for (const row of rows) assert.equal(row.length, header.length, JSON.stringify(row));
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at]])));
}

const HARD = ['a,b "c"', "two\nlines\r\nand more", "", " spaces ", "=1+1", "ø 😀", '"', "tab\there", "\r"];

test("cells are quoted so that every text is read back unchanged", () => {
  assert.deepEqual(cellsOf(csvLine(HARD)), [HARD]);
  assert.equal(csvLine(["a", 1, undefined, 'b"', "c,d"]), 'a,1,,"b""","c,d"\r\n');
});

test("--format csv has a header, the ids and line numbers, and error rows", async () => {
  const call = { id: "c1", type: "function", function: { name: "tide", arguments: '{"port": "Bodø, Å"}' } };
  const calls = { message: { role: "assistant", content: null, tool_calls: [call] }, finish_reason: "tool_calls" };
  const input = `${toLines(HARD.map((text, at) => line(`r,${at}`, chatBody(text, { id: `chatcmpl-${at}` }))))}
${toLines([
  line("calls", chatBody("", { choices: [calls] })),
  {
    custom_id: "no",
    response: { status_code: 429, request_id: "req_9", body: { error: { message: 'Slow "down", please', type: "rate" } } },
  },
  line("v", { object: "list", data: [{ embedding: [1, 2.5] }] }),
])}`;
  const { code, stdout, stderr } = await run(["--format", "csv"], input);
  assert.equal(code, 1);
  assert.match(stderr, /standard input:12: provider-error: Slow "down", please/);
  const rows = rowsOf(stdout);
  assert.deepEqual(
    rows
      .slice(0, HARD.length)
      .map(({ line: number, customId, id, text, totalTokens }) => [number, customId, id, text, totalTokens]),
    HARD.map((text, at) => [String(at + 1), `r,${at}`, `chatcmpl-${at}`, text, "5"]),
  );
  const [tool, failed, vectors] = rows.slice(HARD.length);
  assert.equal(tool.line, String(HARD.length + 2), "blank lines count");
  assert.deepEqual(JSON.parse(tool.toolCalls), [{ id: "c1", name: "tide", arguments: '{"port": "Bodø, Å"}' }]);
  assert.equal(tool.finishReason, "tool_use");
  assert.deepEqual(
    [failed.customId, failed.errorCode, failed.errorStatus, failed.errorMessage, failed.text],
    ["no", "provider-error", "429", 'Slow "down", please', ""],
  );
  assert.equal(vectors.vectors, "[[1,2.5]]");
  assert.equal(
    (await run(["--format", "csv", "--input", "batch"], "{broken\n{}\n")).stdout.split("\r\n")[0],
    stdout.split("\r\n")[0],
  );
});

test("--format text prints each response under its line and id", async () => {
  const input = toLines([
    line("a", chatBody("Hi\nthere")),
    line("b\n==> x", chatBody("Ho")),
    { custom_id: "c", result: { type: "expired" } },
    line("d", { object: "list", data: [{ embedding: [1, 2.5] }, { embedding: [3] }] }),
  ]);
  const { code, stdout } = await run(["--format", "text"], input);
  assert.equal(code, 1);
  const facts = "— complete (stop) · gpt-4.1-mini · tokens: 3 in, 2 out, 5 in total";
  assert.equal(
    stdout,
    [
      `==> line 1 · a <==\nHi\nthere\n\n${facts}\n\n`,
      `==> line 2 · b ==> x <==\nHo\n\n${facts}\n\n`,
      "==> line 3 · c <==\nprovider-error: The request expired before it was processed\n\n",
      "==> line 4 · d <==\n[1,2.5]\n[3]\n\n",
    ].join(""),
  );
});

test("streams and bodies have rows too, under the names of their files", async () => {
  const events = [
    { id: "chatcmpl-7", model: "m", choices: [{ delta: { reasoning_content: "Hm" } }] },
    { id: "chatcmpl-7", model: "m", choices: [{ delta: { content: "One" }, finish_reason: "stop" }] },
  ];
  const path = folderWith({
    "stream.sse": events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
    "body.json": JSON.stringify(chatBody("Two", { id: "chatcmpl-8" }), null, 2),
    "cut.sse": chatStream(["Half"], { ends: false }),
    "error.json": '{"error": {"message": "No", "code": "x"}}',
    "batch.jsonl": toLines([line("a", chatBody("Three")), line("b", chatBody("Four"))]),
  });
  const names = ["stream.sse", "body.json", "cut.sse", "error.json", "batch.jsonl"].map(path);
  const { code, stdout, stderr } = await run(["--format", "jsonl", ...names]);
  assert.equal(code, 1);
  const rows = fromLines(stdout);
  assert.deepEqual(
    rows.map(({ file, line: number, customId, id, text, error }) => [
      names.indexOf(file),
      number,
      customId,
      id,
      text,
      error?.code,
    ]),
    [
      [0, undefined, undefined, "chatcmpl-7", "One", undefined],
      [1, undefined, undefined, "chatcmpl-8", "Two", undefined],
      [2, undefined, undefined, undefined, "Half", "stream-truncated"],
      [3, undefined, undefined, undefined, rows[3].text, "provider-error"],
      [4, 1, "a", undefined, "Three", undefined],
      [4, 2, "b", undefined, "Four", undefined],
    ],
  );
  assert.equal(rows[0].reasoning, "Hm");
  assert.deepEqual([rows[1].finishReason, rows[1].usage.totalTokens], ["complete", 5]);
  assert.match(stderr, /cut\.sse: truncated/);
  assert.match(stderr, /error\.json: provider-error: No/);
  const csv = await run(["--format", "csv", ...names]);
  assert.deepEqual(
    rowsOf(csv.stdout).map(({ file, text }) => [file, text]),
    rows.map(({ file, text = "" }) => [file, text]),
  );
  const [alone] = fromLines((await run(["--format", "jsonl", names[0]])).stdout);
  assert.equal("file" in alone, false);
});

test("the parsed value keeps its digits and stays in its line", async () => {
  const path = folderWith({ "outputs.json": '[{"name":"n"}]' });
  const text = '{\n  "n": 12345678901234567890\n}';
  const agent = ["--agent", path("outputs.json")];
  const inputs = [toLines([line("a", chatBody(text))]), chatStream([text]), JSON.stringify(chatBody(text), null, 2)];
  for (const input of inputs) {
    const { stdout, code } = await run(["--format", "jsonl", ...agent], input);
    assert.equal(code, 0);
    const [row, ...others] = stdout.trimEnd().split("\n");
    assert.deepEqual(others, []);
    assert.match(row, /"value":\{\s*"n":\s*12345678901234567890\s*\}/);
    assert.equal(JSON.parse(row).text, text);
  }
});

test("--api excludes rows of another interface", async () => {
  for (const input of [JSON.stringify(chatBody("a"), null, 2), toLines([chatBody("a"), chatBody("b")])]) {
    const { code, stdout, stderr } = await run(["--format", "jsonl", "--api", "anthropic-messages"], input);
    assert.equal(code, 1);
    for (const row of fromLines(stdout)) assert.equal(row.error.code, "unknown-response");
    assert.match(stderr, /unknown-response: The response is from openai-chat/);
  }
});

test("a row of a body warns if the text isn't the JSON that the agent expects", async () => {
  const agent = folderWith({ "agent.json": JSON.stringify({ outputs: { type: "object" } }) })("agent.json");
  for (const [text, expected] of [
    ["a", /isn't valid JSON/],
    ["{}", /^$/],
  ]) {
    assert.match((await run(["--agent", agent, "--format", "jsonl"], JSON.stringify(chatBody(text)))).stderr, expected);
  }
});

test("--format doesn't combine with other outputs", async () => {
  const wrong = [
    [["--format", "csv", "--json"], /--json prints deltas/],
    [["--format", "csv", "--result"], /--result prints JSON, not csv/],
    [["--format", "cvs"], /--format must be one of text, jsonl, csv, not "cvs"\. Did you mean csv\?/],
    [["--format", "json"], /Did you mean jsonl\?/],
    [["--format", "batch"], /use --input batch/],
  ];
  for (const [args, message] of wrong) {
    const { code, stderr, stdout } = await run(args);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, message);
  }
  const both = await run(["--format", "jsonl", "--result"], toLines([line("a", chatBody("A"))]));
  assert.equal(fromLines(both.stdout)[0].response.message, "A");
});
