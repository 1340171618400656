// Arguments of tool calls, of results and of providers, parsed and repaired.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decode, OutputParseError, parseResponse, parseToolArguments } from "respool";
import { chatBody } from "./answers.mjs";

const call = (args, name = "tide") => ({ id: "call_1", name, arguments: args });
const argumentsOf = (args, options) => parseToolArguments([call(args)], options)[0];
const HUGE_DEPTH = 100_000;
const deep = `${"[".repeat(HUGE_DEPTH)}1${"]".repeat(HUGE_DEPTH)}`;

describe("parseResponse", () => {
  test("names the fields as agents do", () => {
    const toolCalls = [call("{")];
    const usage = { input_tokens: 50 };
    const output = parseResponse({ content: "Here.", toolCalls, usage });
    assert.deepEqual(output, { text: "Here.", toolCalls, usage });
    assert.notEqual(output.toolCalls, toolCalls);
    assert.deepEqual(parseResponse({ content: null }), { text: "", toolCalls: [], usage: undefined });
  });

  test("invalid input", () => {
    for (const response of [undefined, null, "text", { toolCalls: 5 }, { toolCalls: [5] }]) {
      assert.throws(() => parseResponse(response), { name: "RespoolError", code: "invalid-option" });
    }
  });
});

describe("parseToolArguments", () => {
  test("returns one action for each call, in order", () => {
    const actions = parseToolArguments([
      { id: "call_1", name: "search", arguments: '{"query": "AI safety"}' },
      { id: "call_2", name: "calculate", arguments: '{"x": 42}' },
    ]);
    assert.deepEqual(actions, [
      { toolCallId: "call_1", toolName: "search", arguments: { query: "AI safety" } },
      { toolCallId: "call_2", toolName: "calculate", arguments: { x: 42 } },
    ]);
    assert.deepEqual(parseToolArguments([]), []);
  });

  test("calls without an id get one from their index", () => {
    const calls = [
      { function: { name: "tide", arguments: {} } },
      { id: null, type: "function", function: { name: "tide", arguments: "{}" } },
      { name: "tide", arguments: {} },
      { name: "tide", args: {} },
    ];
    const expected = calls.map((_, at) => ({ toolCallId: `call_${at}`, toolName: "tide", arguments: {} }));
    assert.deepEqual(parseToolArguments(calls), expected);
  });

  test("empty ids count as missing, and generated ids are unique", () => {
    const calls = ["", "call_0", "call_3", null, ""].map((id) => ({ id, name: "tide", arguments: "{}" }));
    const ids = parseToolArguments(calls).map(({ toolCallId }) => toolCallId);
    assert.deepEqual(ids, ["call_0_2", "call_0", "call_3", "call_3_2", "call_4"]);
  });

  test("the input of a custom tool is text", () => {
    const forms = [
      (input) => [{ id: "a", type: "custom", custom: { name: "query", input } }],
      (input) => [{ type: "custom_tool_call", id: "ctc_1", call_id: "a", name: "query", input }],
    ];
    for (const form of forms) {
      for (const input of ["select 1", "{}", '{"a":1}', ""]) {
        for (const repair of [false, true]) {
          assert.throws(() => parseToolArguments(form(input), { repair }), {
            code: "not-an-object",
            message: "Tool 'query' arguments must be a JSON object, got string",
          });
        }
      }
    }
  });

  test("accepts empty arguments", () => {
    for (const empty of ["", " ", "\n\t ", undefined, null]) {
      assert.deepEqual(argumentsOf(empty).arguments, {});
      assert.deepEqual(argumentsOf(empty, { repair: true }), {
        toolCallId: "call_1",
        toolName: "tide",
        arguments: {},
        repair: "direct",
        status: "complete",
      });
    }
  });

  test("accepts calls from decode, whose arguments are already parsed", () => {
    const body = chatBody(null);
    const calls = ['{"port":"Bodø"}', '{"port":'].map((text, at) => ({
      id: `c${at}`,
      type: "function",
      function: { name: "f", arguments: text },
    }));
    body.choices[0].message.tool_calls = calls;
    const { toolCalls } = decode(body);
    assert.deepEqual(parseToolArguments(toolCalls.slice(0, 1))[0].arguments, { port: "Bodø" });
    assert.throws(() => parseToolArguments(toolCalls), { name: "OutputParseError", code: "invalid-json" });
  });

  test("the error for invalid JSON says what is wrong, and where", () => {
    assert.throws(
      () => argumentsOf('{"a" 1}'),
      (error) => {
        assert.ok(OutputParseError.isInstance(error));
        assert.equal(error.message, "Invalid JSON in arguments for tool 'tide': expected a colon at byte 5");
        assert.deepEqual(
          [error.code, error.toolCallId, error.toolName, error.text],
          ["invalid-json", "call_1", "tide", '{"a" 1}'],
        );
        return true;
      },
    );
    assert.throws(() => argumentsOf('{"a": 1'), {
      message: /^Invalid JSON in arguments for tool 'tide': unexpected end of text at byte 7/,
    });
  });

  test("JSON that isn't an object is an error", () => {
    for (const [text, kind] of [
      ["[1]", "array"],
      ["5", "number"],
      ['"s"', "string"],
      ["true", "boolean"],
      ["null", "null"],
    ]) {
      for (const repair of [false, true]) {
        assert.throws(() => argumentsOf(text, { repair }), {
          name: "OutputParseError",
          code: "not-an-object",
          message: `Tool 'tide' arguments must be a JSON object, got ${kind}`,
        });
      }
    }
  });

  test("names the repair", () => {
    const repaired = (text) => {
      const { arguments: value, repair, status } = argumentsOf(text, { repair: true });
      return [value, repair, status];
    };
    assert.deepEqual(repaired('{"a": 1}'), [{ a: 1 }, "direct", "complete"]);
    assert.deepEqual(repaired('```json\n{"a": 1}\n```'), [{ a: 1 }, "fence", "complete"]);
    assert.deepEqual(repaired('I call {"a": "}"} now'), [{ a: "}" }, "extracted", "complete"]);
    assert.deepEqual(repaired('{"a": [1,],}'), [{ a: [1] }, "trailing-commas", "complete"]);
    assert.deepEqual(repaired('{"a": [1, 2'), [{ a: [1, 2] }, "missing-closers", "truncated"]);
    assert.deepEqual(repaired('"{\\"a\\": 1}"'), [{ a: 1 }, "double-encoded", "complete"]);
    assert.throws(() => repaired("no arguments"), { name: "OutputParseError", code: "invalid-json" });
    assert.throws(() => repaired("{"), { name: "OutputParseError", code: "invalid-json" });
    assert.throws(() => repaired("The list is [1]"), { code: "not-an-object", message: /got array/ });
  });

  test("prototype names are plain data, and the last duplicate wins", () => {
    for (const options of [{}, { repair: true }]) {
      for (const tail of ["}", ",}"]) {
        if (tail === ",}" && !options.repair) continue;
        const { arguments: value } = argumentsOf(
          `{"__proto__": {"admin": true}, "constructor": 1, "a": 1, "a": 2${tail}`,
          options,
        );
        assert.deepEqual(Object.keys(value), ["__proto__", "constructor", "a"]);
        assert.equal(Object.getPrototypeOf(value), Object.prototype);
        assert.deepEqual([value.admin, {}.admin, value.a], [undefined, undefined, 2]);
      }
    }
  });

  test("lone surrogates, great depth, and 50 MB", () => {
    assert.equal(argumentsOf('{"a": "\\ud800", "b": "\ud800"}').arguments.b, "\ud800");
    assert.equal(argumentsOf('{"a": "\ud800",}', { repair: true }).arguments.a, "\ufffd");
    let { a } = argumentsOf(`{"a": ${deep}}`).arguments;
    let depth = 0;
    for (; Array.isArray(a); depth++) [a] = a;
    assert.equal(depth, HUGE_DEPTH);
    for (const options of [{}, { repair: true }]) {
      assert.throws(() => argumentsOf(`${deep.slice(0, HUGE_DEPTH)}!`, options), { code: "invalid-json" });
    }
    assert.equal(argumentsOf(`{"a": ${deep},}`, { repair: true }).repair, "trailing-commas");
    const text = `{"a": "${"x".repeat(50_000_000)}"`;
    assert.equal(argumentsOf(`${text}}`).arguments.a.length, 50_000_000);
    assert.throws(() => argumentsOf(text), { code: "invalid-json", message: /end of text at byte 50000008/ });
    const cut = argumentsOf(text, { repair: true });
    assert.deepEqual([cut.arguments.a.length, cut.status], [50_000_000, "truncated"]);
  });

  test("invalid input", () => {
    for (const calls of [undefined, null, "text", {}, [undefined], ["text"]]) {
      assert.throws(() => parseToolArguments(calls), { name: "RespoolError", code: "invalid-option" });
    }
    assert.throws(() => parseToolArguments([], { repair: "yes" }), { code: "invalid-option" });
  });
});
