// Parsing what models write: tool arguments, structured output, and text that is nearly JSON.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type } from "arktype";
import * as v from "valibot";
import {
  cast,
  castAsync,
  decode,
  OutputParseError,
  parseResponse,
  parseStructuredOutput,
  parseStructuredOutputAsync,
  parseToolArguments,
  process,
  RAW_JSON,
  repairJson,
} from "respool";
import { z } from "zod";
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

  test("calls without an id get one of their place", () => {
    const calls = [
      { function: { name: "tide", arguments: {} } },
      { id: null, type: "function", function: { name: "tide", arguments: "{}" } },
      { name: "tide", arguments: {} },
      { name: "tide", args: {} },
    ];
    const expected = calls.map((_, at) => ({ toolCallId: `call_${at}`, toolName: "tide", arguments: {} }));
    assert.deepEqual(parseToolArguments(calls), expected);
  });

  test("empty ids are none, and no id that is made equals another", () => {
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

/** The same schema in three libraries, with its output for a report and the paths of its issues. */
const SCHEMAS = {
  zod: z.object({ city: z.string(), days: z.array(z.object({ wind: z.number() })) }),
  valibot: v.object({ city: v.string(), days: v.array(v.object({ wind: v.number() })) }),
  arktype: type({ city: "string", days: type({ wind: "number" }).array() }),
};

describe("parseStructuredOutput", () => {
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    test(name, async () => {
      const text = '{"city": "Tokyo", "days": [{"wind": 5}]}';
      assert.deepEqual(parseStructuredOutput(text, schema), JSON.parse(text));
      assert.deepEqual(await parseStructuredOutputAsync(text, schema), JSON.parse(text));
      const expected = (error) => {
        assert.deepEqual([error.name, error.code], ["OutputParseError", "invalid-output"]);
        assert.deepEqual(
          error.issues.map(({ path }) => path),
          [["city"], ["days", 1, "wind"]],
        );
        for (const { message } of error.issues) assert.ok(error.message.includes(message), error.message);
        assert.match(error.message, /^The output doesn't match the schema: city: .*; days\[1\]\.wind: /);
        return true;
      };
      const wrong = '{"city": 5, "days": [{"wind": 1}, {"wind": "strong"}]}';
      assert.throws(() => parseStructuredOutput(wrong, schema), expected);
      await assert.rejects(parseStructuredOutputAsync(wrong, schema), expected);
    });
  }

  test("returns the schema's output", () => {
    assert.deepEqual(parseStructuredOutput('{"at": "5"}', z.object({ at: z.coerce.number(), by: z.string().default("me") })), {
      at: 5,
      by: "me",
    });
    assert.equal(
      parseStructuredOutput(
        '"abc"',
        v.pipe(
          v.string(),
          v.transform((text) => text.length),
        ),
      ),
      3,
    );
  });

  test("issues about the whole value have no path", () => {
    assert.throws(
      () => parseStructuredOutput("5", z.string()),
      (error) => error.issues[0].path.length === 0 && !error.message.includes("schema: :"),
    );
  });

  test("functions", () => {
    assert.equal(
      parseStructuredOutput('{"a": 1}', ({ a }) => a + 1),
      2,
    );
    assert.throws(
      () => parseStructuredOutput("{}", () => assert.fail("no a")),
      (error) => {
        assert.deepEqual([error.code, error.issues], ["invalid-output", [{ path: [], message: "no a" }]]);
        return error.cause.name === "AssertionError";
      },
    );
    assert.throws(
      () => parseStructuredOutput('{"a": 1}', (value) => z.object({ a: z.string() }).parse(value)),
      (error) => {
        assert.deepEqual(
          error.issues.map(({ path }) => path),
          [["a"]],
        );
        return error.code === "invalid-output";
      },
    );
    assert.deepEqual(parseStructuredOutput("[1]"), [1]);
  });

  test("invalid JSON", () => {
    assert.throws(() => parseStructuredOutput("No.", z.any()), {
      name: "OutputParseError",
      code: "invalid-json",
      message: "Invalid JSON in the output: expected a value at byte 0",
    });
    assert.throws(() => parseStructuredOutput("", z.any()), { code: "invalid-json" });
    const fenced = '```json\n{"a": 1}\n```';
    assert.throws(() => parseStructuredOutput(fenced), { code: "invalid-json" });
    assert.deepEqual(parseStructuredOutput(fenced, undefined, { repair: true }), { a: 1 });
    assert.throws(() => parseStructuredOutput('{"a": 1', undefined, { repair: true }), {
      name: "OutputParseError",
      code: "truncated-json",
    });
  });

  test("invalid input", () => {
    for (const text of [undefined, null, 5, {}])
      assert.throws(() => parseStructuredOutput(text), { name: "RespoolError", code: "invalid-option" });
    for (const schema of [5, "schema", { type: "object" }, { "~standard": {} }]) {
      assert.throws(() => parseStructuredOutput("{}", schema), {
        name: "RespoolError",
        code: "invalid-option",
        message: /neither a function nor a Standard Schema/,
      });
    }
    assert.throws(() => parseStructuredOutput("{}", undefined, { repair: 1 }), { code: "invalid-option" });
  });
});

describe("asynchronous validators", () => {
  const later = z.object({ a: z.number().refine(async (a) => a > 1, "too small") });

  test("need the asynchronous function", () => {
    for (const validator of [later, async () => 5, () => Promise.reject(new Error("unseen"))]) {
      assert.throws(() => parseStructuredOutput('{"a": 1}', validator), {
        code: "invalid-option",
        message: /use parseStructuredOutputAsync/,
      });
      assert.throws(() => cast('{"a": 1}', validator), { code: "invalid-option", message: /use castAsync/ });
    }
  });

  test("are awaited", async () => {
    assert.deepEqual(await parseStructuredOutputAsync(Promise.resolve('{"a": 2}'), later), { a: 2 });
    await assert.rejects(parseStructuredOutputAsync('{"a": 1}', later), { code: "invalid-output", message: /a: too small/ });
    await assert.rejects(
      parseStructuredOutputAsync("{}", () => Promise.reject(new Error("no"))),
      { code: "invalid-output", message: /no/ },
    );
    await assert.rejects(parseStructuredOutputAsync("No."), { code: "invalid-json" });
    await assert.rejects(parseStructuredOutputAsync(5), { code: "invalid-option" });
    assert.equal(await parseStructuredOutputAsync("5", async (value) => value + 1), 6);
    assert.deepEqual(await castAsync(Promise.resolve('{"a": 2}'), later), { a: 2 });
  });

  test("abort during any await", async () => {
    const never = new Promise(() => {});
    const waiting = [
      (signal) => parseStructuredOutputAsync(never, later, { signal }),
      (signal) => parseStructuredOutputAsync("{}", () => never, { signal }),
      (signal) =>
        parseStructuredOutputAsync("{}", { "~standard": { version: 1, vendor: "test", validate: () => never } }, { signal }),
      (signal) => castAsync(never, later, { signal }),
      (signal) => castAsync("{}", () => never, { signal }),
    ];
    for (const start of waiting) {
      const controller = new AbortController();
      const outcome = start(controller.signal).catch((error) => error);
      await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      const error = await Promise.race([outcome, new Promise((resolve) => setImmediate(resolve, "too late"))]);
      assert.equal(error, controller.signal.reason);
      assert.equal(error.name, "AbortError");
    }
    await assert.rejects(parseStructuredOutputAsync("{}", undefined, { signal: AbortSignal.abort() }), { name: "AbortError" });
    await assert.rejects(castAsync("{}", undefined, { signal: AbortSignal.abort() }), { name: "AbortError" });
    await assert.rejects(castAsync("{}", undefined, { signal: 5 }), { code: "invalid-option" });
  });
});

describe("cast", () => {
  const json = '{"id": 90071992547409931, "at": 1.0}';
  const result = process({ outputs: ["id"] }, chatBody(json));

  test("parses the model's own text", () => {
    result.id = "changed";
    assert.deepEqual(cast(result), JSON.parse(json));
    assert.equal(
      cast(result, (_, text) => text),
      json,
    );
    assert.equal(cast(result, z.object({ at: z.number() })).at, 1);
    assert.equal(result[RAW_JSON], json);
    assert.throws(() => cast(result, z.object({ at: z.string() })), { code: "invalid-output" });
  });

  test("parses text, and validates other results unchanged", () => {
    assert.deepEqual(cast('{"a": 1}'), { a: 1 });
    assert.throws(() => cast("{No.}"), { name: "OutputParseError", code: "invalid-json" });
    assert.throws(() => cast("No.", z.object({})), { name: "OutputParseError", code: "invalid-output" });
    const calls = [call("{}")];
    assert.equal(cast(calls), calls);
    assert.equal(
      cast(calls, (list) => list.length),
      1,
    );
    for (const scalar of [5, true, null]) assert.equal(cast(scalar), scalar);
  });

  test("structured output that is a string", () => {
    for (const value of ["Percussion", "123", ""]) {
      const result = process({ outputs: ["kind"] }, chatBody(JSON.stringify(value)));
      assert.equal(result, value);
      assert.equal(cast(result), value);
      assert.equal(cast(result, z.string()), value);
    }
  });

  test("lists of structured output", () => {
    assert.deepEqual(cast(process({ outputs: ["a"] }, chatBody("[1, 2]")), z.array(z.number())), [1, 2]);
  });
});

describe("repairJson", () => {
  test("returns the value, its JSON text and the repair", () => {
    assert.deepEqual(repairJson("{'a': True}"), {
      value: { a: true },
      json: '{"a":true}',
      repair: "python-literals",
      status: "complete",
    });
    assert.deepEqual(repairJson(" 5 "), { value: 5, json: " 5 ", repair: "direct", status: "complete" });
    assert.deepEqual(repairJson('{"a": "b'), {
      value: { a: "b" },
      json: '{"a":"b"}',
      repair: "missing-closers",
      status: "truncated",
    });
  });

  test("keeps numbers exactly", () => {
    assert.equal(repairJson('{"n": 90071992547409931, "f": 1.0, "e": 1e400,}').json, '{"n":90071992547409931,"f":1.0,"e":1e400}');
  });

  test("text that can't be repaired is an error", () => {
    for (const text of ["", "No.", "{", "{a b}"]) {
      assert.throws(
        () => repairJson(text),
        (error) => error.name === "OutputParseError" && error.code === "invalid-json" && error.text === text,
      );
    }
    assert.throws(() => repairJson(5), { name: "RespoolError", code: "invalid-option" });
  });
});
