// Tool calls and reasoning in text: the fixtures that Rust runs too, arguments, and options.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { StreamAccumulator, extractToolCalls } from "respool";
import { ROOT } from "../../scripts/paths.mjs";
import { CALL, TOOLS, joined, streamOf } from "./text-chunks.mjs";

const FIXTURES = join(ROOT, "tests", "fixtures", "text-formats");
const callsOf = (calls) => calls.map(({ name, arguments: json }) => ({ name, arguments: JSON.parse(json) }));
const invalid = (pattern) => (error) => error.code === "invalid-option" && pattern.test(error.message);

for (const folder of readdirSync(FIXTURES)) {
  describe(folder, () => {
    for (const file of readdirSync(join(FIXTURES, folder))) {
      const { formats, tools, cases } = JSON.parse(readFileSync(join(FIXTURES, folder, file), "utf8"));
      for (const { name, text, tags, open = false, expected, ...own } of cases) {
        test(name, () => {
          const textToolCalls = { tools: own.tools ?? tools, formats: own.formats ?? formats };
          const reasoningTags = tags ? { tags: tags.includes("*") || tags, open } : false;
          const found = extractToolCalls(text, { ...textToolCalls, reasoningTags });
          assert.equal(found.text, expected.text);
          if (expected.toolCalls) {
            const wanted = expected.toolCalls.map((call) => ({ name: call.name, arguments: call.arguments }));
            assert.deepEqual(callsOf(found.toolCalls), wanted);
          } else {
            assert.deepEqual(found.toolCallStatus, [expected.invalid ? "invalid" : "truncated"]);
          }
          const { result, deltas } = streamOf(Array.from(text), { textToolCalls, reasoningTags });
          assert.equal(result.text, found.text);
          assert.equal(joined(deltas, "text"), found.text);
          assert.equal(joined(deltas, "reasoning"), found.reasoning);
          assert.deepEqual(
            result.toolCalls.map((call) => [call.name, call.arguments]),
            found.toolCalls.map((call) => [call.name, call.arguments]),
          );
          assert.equal(result.finishReason, result.toolCalls.length > 0 ? "tool_use" : "complete");
        });
      }
    }
  });
}
describe("arguments", () => {
  const schema = {
    properties: {
      n: { type: "integer" },
      x: { type: ["number", "null"] },
      b: { anyOf: [{ type: "boolean" }, { type: "null" }] },
      l: { type: "array" },
      o: { $ref: "#/$defs/o" },
      s: { type: "string" },
      e: { enum: [1, "two"] },
      c: { const: 7 },
      q: { type: "string", nullable: true },
    },
    $defs: { o: { type: "object" } },
  };
  const tools = [{ type: "function", name: "f", parameters: schema }];
  const typed = (values) => {
    const inner = Object.entries(values).map(([name, text]) => `<parameter=${name}>\n${text}\n</parameter>`);
    return extractToolCalls(`<tool_call><function=f>${inner.join("")}</function></tool_call>`, { tools });
  };

  test("follow the schema", () => {
    const { toolCalls, warnings } = typed({
      n: "12",
      x: "1.5e3",
      b: "True",
      l: "[1, 'a']",
      o: '{"k": null}',
      s: "12",
      e: "two",
      c: "7",
      q: "null",
    });
    const expected = { n: 12, x: 1500, b: true, l: [1, "a"], o: { k: null }, s: "12", e: "two", c: 7, q: null };
    assert.deepEqual(JSON.parse(toolCalls[0].arguments), expected);
    assert.deepEqual(warnings, []);
  });

  test("a value that doesn't fit stays a string, with a warning", () => {
    const { toolCalls, warnings } = typed({ n: "1.5", b: "yes", o: "[1]", other: "1" });
    assert.deepEqual(JSON.parse(toolCalls[0].arguments), { n: "1.5", b: "yes", o: "[1]", other: "1" });
    assert.deepEqual(
      warnings.map((warning) => warning.code),
      Array(4).fill("unfit-argument"),
    );
  });

  const broken = {
    "single quotes": "{'name': 'f', 'arguments': {'s': 'it\\'s', 'b': True, 'x': None}}",
    "trailing commas": '{"name": "f", "arguments": {"s": "it\'s", "b": true, "x": null,},}',
    "keys without quotes": '{name: "f", arguments: {s: "it\'s", b: true, x: null}}',
    "parameters, and white space in the name": '{"name": " f ", "parameters": {"s": "it\'s", "b": true, "x": null}}',
    "arguments as a string": '{"name": "f", "arguments": "{\\"s\\": \\"it\'s\\", \\"b\\": true, \\"x\\": null}"}',
    "missing braces": '{"name": "f", "arguments": {"s": "it\'s", "b": true, "x": null',
    "a brace too many": '{"name": "f", "arguments": {"s": "it\'s", "b": true, "x": null}}}',
    comments: '{"name": "f", /* which */ "arguments": {"s": "it\'s", // why\n "b": true, "x": null}}',
    "arguments first": '{"arguments": {"s": "it\'s", "b": true, "x": null}, "name": "f"}',
    "missing commas": '{"name": "f" "arguments": {"s": "it\'s" "b": true, "x": null}}',
    "a function in an object":
      '{"type": "function", "function": {"name": "f", "arguments": {"s": "it\'s", "b": true, "x": null}}}',
  };
  for (const [name, json] of Object.entries(broken)) {
    test(name, () => {
      const { toolCalls, text } = extractToolCalls(`<tool_call>\n${json}\n</tool_call>`, { tools });
      assert.deepEqual(callsOf(toolCalls), [{ name: "f", arguments: { s: "it's", b: true, x: null } }]);
      assert.equal(text, "");
    });
  }

  test("strings", () => {
    const { toolCalls } = extractToolCalls(
      '<tool_call>{"name": "f", "arguments": {"s": "a\nb\t"quoted" \\d \\u00e9 \\x41"}}</tool_call>',
      { tools },
    );
    assert.equal(JSON.parse(toolCalls[0].arguments).s, 'a\nb\t"quoted" \\d é A');
  });
});

describe("reasoning", () => {
  const read = (text, reasoningTags) => {
    const { text: rest, reasoning, toolCalls } = extractToolCalls(text, { tools: TOOLS, reasoningTags });
    return [reasoning, rest, toolCalls.length];
  };

  test("all tags", () => {
    for (const [open, close] of [
      ["<think>", "</think>"],
      ["<reasoning>", "</reasoning>"],
      ["[THINK]", "[/THINK]"],
      ["<seed:think>", "</seed:think>"],
      ["◁think▷", "◁/think▷"],
      ["<|START_THINKING|>", "<|END_THINKING|>"],
      ["<mm:think>", "</mm:think>"],
      ["<|channel>thought\n", "<channel|>"],
      ["<|channel|>analysis<|message|>", "<|end|>"],
    ]) {
      assert.deepEqual(read(`${open}Why?${close}\nSo.`, true), ["Why?", "So.", 0], open);
    }
  });

  test("the tag was opened in the prompt", () => assert.deepEqual(read("Why?</think>So.", { open: true }), ["Why?", "So.", 0]));
  test("the tag is opened twice", () => assert.deepEqual(read("<think>Why?</think>So.", { open: true }), ["Why?", "So.", 0]));
  test("the tag isn't closed", () => assert.deepEqual(read("<think>Why?", true), ["Why?", "", 0]));
  test("the tag wasn't opened", () => assert.deepEqual(read("Why?</think>So.", true), ["", "Why?So.", 0]));
  test("a call ends reasoning", () => assert.deepEqual(read(`<think>Why?${CALL}`, true), ["Why?", "", 1]));
  test("a call inside reasoning doesn't count", () =>
    assert.deepEqual(read(`<think>${CALL}?</think>${CALL}`, true), [`${CALL}?`, "", 1]));
  test("custom tags", () => assert.deepEqual(read("<plan>Why?</plan><think>", ["plan"]), ["Why?", "<think>", 0]));
  test("disabled", () => assert.deepEqual(read("<think>Why?</think>", false), ["", "<think>Why?</think>", 0]));
});

test("the types, the guide and the module name the same formats", () => {
  const names = (() => {
    try {
      extractToolCalls("", { tools: [], formats: ["nope"] });
    } catch (error) {
      return error.message.slice(error.message.indexOf("Formats: ") + 9).split(", ");
    }
  })();
  assert.ok(names.length > 20);
  const [, union] = /export type TextFormat =([^;]*);/.exec(readFileSync(join(ROOT, "js/types/text.d.ts"), "utf8"));
  assert.deepEqual(
    Array.from(union.matchAll(/"(.+?)"/g), ([, name]) => name),
    names,
  );
  const guide = readFileSync(join(ROOT, "docs/text-tool-calls.md"), "utf8");
  for (const name of names) assert.ok(guide.includes(`\`${name}\``) || guide.includes(`\`"${name}"\``), name);

  const rows = readFileSync(join(ROOT, "src/text/formats/rows.rs"), "utf8");
  const named = new Set(Array.from(rows.matchAll(/\bnamed\(Place::\w+, "([^"]+)"/g), ([, name]) => name));
  assert.ok(named.size > 8);
  for (const name of named) assert.match(guide, new RegExp(`^\\| .*\`${name}\`.*by name`, "m"), name);
});

describe("definitions", () => {
  const properties = { days: { type: "integer" }, port: { type: "string" } };
  const schema = { type: "object", properties };
  const forms = {
    chat: { type: "function", function: { name: "tide", parameters: schema } },
    Responses: { type: "function", name: "tide", parameters: schema },
    Anthropic: { name: "tide", input_schema: schema },
    MCP: { name: "tide", inputSchema: schema },
    Gemini: { functionDeclarations: [{ name: "ebb" }, { name: "tide", parametersJsonSchema: schema }] },
    "Gemini's own schema": {
      functionDeclarations: [
        { name: "tide", parameters: { type: "OBJECT", properties: { days: { type: "INTEGER" }, port: { type: "STRING" } } } },
      ],
    },
    "Gemini's REST interface": { function_declarations: [{ name: "tide", parameters_json_schema: schema }] },
    Bedrock: { toolSpec: { name: "tide", inputSchema: { json: schema } } },
  };
  const others = [{ type: "web_search" }, { googleSearch: {} }, { type: "custom", custom: { name: "sql" } }];
  const text = "<tool_call><function=tide><parameter=days>7</parameter><parameter=port>12</parameter></function></tool_call>";
  for (const [name, form] of Object.entries(forms)) {
    test(name, () => {
      const [call] = extractToolCalls(text, { tools: [...others, form] }).toolCalls;
      assert.deepEqual(JSON.parse(call.arguments), { days: 7, port: "12" });
    });
  }
});

test("custom tools", () => {
  const text = '<tool_call>{"name": "sql", "arguments": {"query": "SELECT 1"}}</tool_call>';
  for (const form of [
    { type: "custom", name: "sql" },
    { type: "custom", custom: { name: "sql" } },
  ])
    assert.equal(extractToolCalls(text, { tools: [form] }).toolCalls[0].arguments, '{"query": "SELECT 1"}');
});

describe("invalid options", () => {
  const cases = [
    [{ tools: TOOLS, reasoningTags: "two words" }, /^The closer of the reasoning tag `two words` isn't obvious/],
    [{ tools: TOOLS, formats: "hermse" }, /^Unknown format `hermse`\. Formats: auto, hermes,/],
    [{ formats: "auto" }, /options\.tools must be a list of tool definitions/],
    [{ tools: TOOLS, format: "auto" }, /^Unknown option `format`\. Did you mean `formats`\?/],
    [{ tools: TOOLS, formats: [7] }, /options\.formats must be a name/],
    [{ tools: TOOLS, reasoningTags: { open: 1 } }, /reasoningTags\.open must be true or false/],
    [{ tools: TOOLS, reasoningTags: new Array(2 ** 32 - 1) }, /reasoningTags must be a name, or a list of at most 100 names/],
    [{ tools: TOOLS, formats: new Array(101).fill("hermes") }, /formats must be a name, or a list of at most 100 names/],
    [{ tools: TOOLS, formats: new Array(101).fill("hermes") }, /names, not a list of 101$/],
    [{ tools: TOOLS, formats: ["hermes", 7] }, /names, not a list with 7$/],
    [{ tools: TOOLS, reasoningTags: 5 }, /names, or true, false or \{ tags, open \}, not 5$/],
    [{ tools: ["tide"] }, /^A tool definition in `tools` can't be read: ""tide""\. Forms: \{ type: "function",/],
    [{ tools: [{}] }, /can't be read: "\{\}"/],
    [{ tools: [{ title: "tide", parameters: {} }] }, /can't be read/],
    [{ tools: [{ type: "function", function: {} }] }, /can't be read/],
    [{ tools: [{ functionDeclarations: [{ description: "Tides" }] }] }, /can't be read/],
    [{ tools: [{ toolSpec: {} }] }, /can't be read/],
    [{ tools: new Array(2 ** 32 - 1) }, /tools must be a list of at most 10000 tools/],
  ];
  for (const [options, message] of cases) {
    test(message.source, () => assert.throws(() => extractToolCalls("", options), invalid(message)));
  }
  test("no text", () => assert.throws(() => extractToolCalls(7, { tools: [] }), invalid(/The text must be a string/)));
  test("of a stream", () => {
    assert.throws(() => new StreamAccumulator({ textToolCalls: { tools: {} } }), invalid(/options\.textToolCalls\.tools/));
  });
});

test("arguments that aren't an object don't make a call", () => {
  const tools = [{ type: "function", function: { name: "tide" } }];
  for (const value of ["nonsense", "[1]", "7", '"Bodø"']) {
    const text = `<tool_call>{"name":"tide","arguments":${value}}</tool_call>`;
    const found = extractToolCalls(text, { tools });
    assert.deepEqual([found.text, found.toolCalls], [text, []], value);
    assert.deepEqual(
      found.rejected.map(({ name, reason }) => [name, reason]),
      [["tide", "invalid-arguments"]],
      value,
    );
  }
});
