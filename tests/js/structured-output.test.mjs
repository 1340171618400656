// Structured output, validated by schemas or functions, and text that is nearly JSON.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type } from "arktype";
import * as v from "valibot";
import { cast, castAsync, parseStructuredOutput, parseStructuredOutputAsync, process, RAW_JSON, repairJson } from "respool";
import { z } from "zod";
import { chatBody } from "./answers.mjs";

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
    const calls = [{ id: "call_1", name: "tide", arguments: "{}" }];
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
